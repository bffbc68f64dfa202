package main

import "os"

type library struct {
	name string
	set  func(*program) // checks, and adds the works
}

// main runs one library: PROGRAM LIBRARY ANSWERS --name|--works|--check|WORK...
func main() {
	if len(os.Args) < 4 {
		usage()
	}
	libraries := map[string]library{
		"google_uuid":        {nameOf("github.com/google/uuid"), googleUUID},
		"google_uuid_pool":   {nameOf("github.com/google/uuid") + ", pool", googleUUIDPool},
		"oklog_ulid":         {nameOf("github.com/oklog/ulid/v2"), oklogULID},
		"bwmarrin_snowflake": {nameOf("github.com/bwmarrin/snowflake"), bwmarrinSnowflake},
		"sony_sonyflake":     {nameOf("github.com/sony/sonyflake/v2"), sonySonyflake},
		"segmentio_ksuid":    {nameOf("github.com/segmentio/ksuid"), segmentioKSUID},
	}
	chosen, known := libraries[os.Args[1]]
	if !known {
		usage()
	}
	p := &program{folder: os.Args[2]}
	chosen.set(p)
	p.run(chosen.name, os.Args[3:])
}
