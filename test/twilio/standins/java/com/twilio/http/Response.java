package com.twilio.http;

public class Response {
    private final String content;

    public Response(String content, int statusCode) {
        this.content = content;
    }

    public String getContent() {
        return content;
    }
}
