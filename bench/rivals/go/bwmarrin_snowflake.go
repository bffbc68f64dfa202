package main

import (
	"fmt"

	"github.com/bwmarrin/snowflake"
)

var keepSnowflake snowflake.ID

// bwmarrinSnowflake is timed with 18 bits of sequence: with its 12 it would wait for the next millisecond.
func bwmarrinSnowflake(p *program) {
	if _, err := snowflake.NewNode(1); err != nil {
		wrong(err)
	}
	checked(p, "twitter", codec[snowflake.ID]{
		snowflake.ParseString,
		snowflake.ID.String,
		func(id snowflake.ID) string { return fmt.Sprint(id.Time(), id.Node(), id.Step()) },
	})

	snowflake.NodeBits, snowflake.StepBits = 4, 18
	node, err := snowflake.NewNode(1)
	if err != nil {
		wrong(err)
	}
	var rising []int64
	for range made {
		id := node.Generate()
		if id.Node() != 1 {
			wrong("the node is another")
		}
		rising = append(rising, id.Int64())
	}
	checkRising(rising)
	p.add("snowflake_wide", func(times int) {
		for range times {
			keepSnowflake = node.Generate()
		}
	})
}
