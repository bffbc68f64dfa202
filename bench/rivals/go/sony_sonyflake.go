package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/sony/sonyflake/v2"
)

var keepSonyflake int64

func sonyflakeOf(settings sonyflake.Settings) *sonyflake.Sonyflake {
	settings.MachineID = func() (int, error) { return 1, nil }
	made, err := sonyflake.New(settings)
	if err != nil {
		wrong(err)
	}
	return made
}

// sonySonyflake is timed with a tick of 1 ms and 18 bits of sequence: as it comes it gives 25,600 IDs a
// second, and sleeps.
func sonySonyflake(p *program) {
	usual := sonyflakeOf(sonyflake.Settings{})
	checked(p, "sonyflake", codec[int64]{
		func(text string) (int64, error) { return strconv.ParseInt(text, 10, 64) },
		func(id int64) string { return strconv.FormatInt(id, 10) },
		func(id int64) string {
			parts := usual.Decompose(id)
			return fmt.Sprint(parts["time"], parts["sequence"], parts["machine"])
		},
	})

	wide := sonyflakeOf(sonyflake.Settings{
		BitsSequence: 18, BitsMachineID: 4, TimeUnit: time.Millisecond,
		StartTime: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC),
	})
	var rising []int64
	for range made {
		id, err := wide.NextID()
		if err != nil || wide.Decompose(id)["machine"] != 1 {
			wrong("the machine is another", err)
		}
		rising = append(rising, id)
	}
	checkRising(rising)
	p.add("sonyflake_wide", func(times int) {
		for range times {
			id, err := wide.NextID()
			if err != nil {
				wrong(err)
			}
			keepSonyflake = id
		}
	})
}
