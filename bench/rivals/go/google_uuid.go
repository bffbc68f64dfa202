package main

import "github.com/google/uuid"

var (
	keepUUID uuid.UUID
	keepText string
)

func uuidTexts(make func() (uuid.UUID, error)) (texts []string) {
	for range made {
		id, err := make()
		if err != nil {
			wrong(err)
		}
		texts = append(texts, id.String())
	}
	return texts
}

func uuidWork(make func() (uuid.UUID, error)) func(int) {
	return func(times int) {
		for range times {
			id, err := make()
			if err != nil {
				wrong(err)
			}
			keepUUID = id
		}
	}
}

func googleUUID(p *program) {
	ids, texts := checked(p, "uuid", codec[uuid.UUID]{
		uuid.Parse,
		uuid.UUID.String,
		func(id uuid.UUID) string { return hexOf(id[:]) },
	})
	checkUUIDs(uuidTexts(uuid.NewRandom), '4')
	rising := uuidTexts(uuid.NewV7)
	checkUUIDs(rising, '7')
	checkRising(rising)

	p.add("uuid4", uuidWork(uuid.NewRandom))
	p.add("uuid7", uuidWork(uuid.NewV7))
	p.add("uuid_write", func(times int) {
		for at := 0; times > 0; times-- {
			keepText = ids[at].String()
			if at++; at == len(ids) {
				at = 0
			}
		}
	})
	p.add("uuid_parse", func(times int) {
		for at := 0; times > 0; times-- {
			id, err := uuid.Parse(texts[at])
			if err != nil {
				wrong(err)
			}
			keepUUID = id
			if at++; at == len(texts) {
				at = 0
			}
		}
	})
}

// googleUUIDPool is the same library with its pool of random bytes, which stay in memory until they are used.
func googleUUIDPool(p *program) {
	uuid.EnableRandPool()
	checkUUIDs(uuidTexts(uuid.NewRandom), '4')
	checkUUIDs(uuidTexts(uuid.NewV7), '7')
	p.add("uuid4", uuidWork(uuid.NewRandom))
	p.add("uuid7", uuidWork(uuid.NewV7))
}
