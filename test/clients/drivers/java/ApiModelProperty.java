package io.swagger.annotations;

/** Debian has no swagger-annotations of this form. */
public @interface ApiModelProperty {
  String example() default "";
  boolean required() default false;
  String value() default "";
}
