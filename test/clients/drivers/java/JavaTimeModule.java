package com.fasterxml.jackson.datatype.jsr310;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.time.OffsetDateTime;

/** Debian has no jackson-datatype-jsr310. Of it, this is what reads and writes the times of the contract. */
public class JavaTimeModule extends SimpleModule {
  public JavaTimeModule() {
    addSerializer(OffsetDateTime.class, ToStringSerializer.instance);
    addDeserializer(OffsetDateTime.class, new StdDeserializer<OffsetDateTime>(OffsetDateTime.class) {
      @Override
      public OffsetDateTime deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        return OffsetDateTime.parse(parser.getText());
      }
    });
  }
}
