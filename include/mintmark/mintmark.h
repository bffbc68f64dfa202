// Everything in one include: all schemes, the catalogue of them, and the types that they speak in.
//
// For a program that makes or reads more than one kind of ID. One that needs a single kind compiles
// faster with that kind's header. The headers of text/ come with the schemes that use them; include the
// one you need to call an encoding by itself.
#pragma once

#include "mintmark/base/bytes.h"
#include "mintmark/base/entropy.h"
#include "mintmark/base/error.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/catalogue.h"
#include "mintmark/scheme/scheme.h"
#include "mintmark/scheme/snowflake.h"
#include "mintmark/scheme/snowflake_layout.h"
#include "mintmark/scheme/ulid.h"
#include "mintmark/scheme/uuid.h"
#include "mintmark/scheme/uuid_v4.h"
#include "mintmark/scheme/uuid_v7.h"
