package main

import "github.com/segmentio/ksuid"

var keepKSUID ksuid.KSUID

// segmentioKSUID writes with Append, into memory that it is given.
func segmentioKSUID(p *program) {
	ids, texts := checked(p, "ksuid", codec[ksuid.KSUID]{
		ksuid.Parse,
		ksuid.KSUID.String,
		func(id ksuid.KSUID) string { return hexOf(id.Bytes()) },
	})
	text := make([]byte, 0, 27)
	p.add("ksuid_write", func(times int) {
		for at := 0; times > 0; times-- {
			text = ids[at].Append(text[:0])
			if at++; at == len(ids) {
				at = 0
			}
		}
	})
	p.add("ksuid_parse", func(times int) {
		for at := 0; times > 0; times-- {
			id, err := ksuid.Parse(texts[at])
			if err != nil {
				wrong(err)
			}
			keepKSUID = id
			if at++; at == len(texts) {
				at = 0
			}
		}
	})
}
