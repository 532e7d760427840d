package io.swagger.annotations;

/** Debian has no swagger-annotations of this form. */
public @interface ApiModel {
  String description() default "";
}
