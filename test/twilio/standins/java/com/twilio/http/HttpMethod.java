package com.twilio.http;

/** Stands in for Twilio's library, as all of this folder: as much as docs/twilio.md uses. */
public enum HttpMethod { GET, POST }
