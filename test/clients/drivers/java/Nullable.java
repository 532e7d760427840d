package javax.annotation;

/** Of jsr305. */
public @interface Nullable {}
