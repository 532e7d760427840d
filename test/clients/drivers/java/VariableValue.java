package org.openapitools.client.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** Any of text, number and boolean: of such a type, 4.3.1 makes a class that holds nothing. */
public class VariableValue {
  @JsonValue private final Object value;

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public VariableValue(Object value) {
    this.value = value;
  }
}
