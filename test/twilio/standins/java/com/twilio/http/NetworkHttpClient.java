package com.twilio.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import java.util.StringJoiner;

public class NetworkHttpClient {
    public Response makeRequest(Request request) {
        StringJoiner form = new StringJoiner("&");
        request.getPostParams().forEach((name, values) ->
            values.forEach(value -> form.add(name + "=" + URLEncoder.encode(value, UTF_8))));
        String pair = request.getUsername() + ":" + request.getPassword();
        HttpRequest.Builder sent = HttpRequest.newBuilder(URI.create(request.getUrl()))
            .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8)))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .method(request.getMethod().name(), HttpRequest.BodyPublishers.ofString(form.toString()));
        request.getHeaderParams().forEach((name, values) -> values.forEach(value -> sent.header(name, value)));
        try {
            var answer = HttpClient.newHttpClient().send(sent.build(), BodyHandlers.ofString());
            return new Response(answer.body(), answer.statusCode());
        } catch (Exception error) {
            throw new IllegalStateException(error);
        }
    }
}
