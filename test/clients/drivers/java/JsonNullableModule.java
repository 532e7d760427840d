package org.openapitools.jackson.nullable;

import com.fasterxml.jackson.databind.module.SimpleModule;

/** Debian has no jackson-databind-nullable, and the contract has no field that may be null and left out. */
public class JsonNullableModule extends SimpleModule {}
