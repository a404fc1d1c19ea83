package io.confab.account;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.UUID;

/// One sign-in of one device, and all the tokens that descend from it.
public record FamilyId(@JsonValue UUID value) {
  @JsonCreator
  public FamilyId {}
}
