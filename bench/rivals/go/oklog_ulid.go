package main

import "github.com/oklog/ulid/v2"

var keepULID ulid.ULID

// oklogULID makes its IDs by ulid.Make: monotonic, safe for goroutines, from a pseudo-random source.
func oklogULID(p *program) {
	ids, texts := checked(p, "ulid", codec[ulid.ULID]{
		ulid.ParseStrict,
		ulid.ULID.String,
		func(id ulid.ULID) string { return hexOf(id[:]) },
	})
	var rising []string
	for range made {
		rising = append(rising, ulid.Make().String())
	}
	checkRising(rising)

	p.add("ulid", func(times int) {
		for range times {
			keepULID = ulid.Make()
		}
	})
	text := make([]byte, ulid.EncodedSize)
	p.add("ulid_text", func(times int) {
		for range times {
			if err := ulid.Make().MarshalTextTo(text); err != nil {
				wrong(err)
			}
		}
	})
	p.add("ulid_write", func(times int) {
		for at := 0; times > 0; times-- {
			if err := ids[at].MarshalTextTo(text); err != nil {
				wrong(err)
			}
			if at++; at == len(ids) {
				at = 0
			}
		}
	})
	p.add("ulid_parse", func(times int) {
		for at := 0; times > 0; times-- {
			id, err := ulid.ParseStrict(texts[at])
			if err != nil {
				wrong(err)
			}
			keepULID = id
			if at++; at == len(texts) {
				at = 0
			}
		}
	})
}
