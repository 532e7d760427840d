package com.twilio.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class Request {
    private final HttpMethod method;
    private final String url;
    private final Map<String, List<String>> headerParams = new HashMap<>();
    private final Map<String, List<String>> postParams = new HashMap<>();
    private String username;
    private String password;

    public Request(HttpMethod method, String url) {
        this.method = method;
        this.url = url;
    }

    public HttpMethod getMethod() {
        return method;
    }

    public String getUrl() {
        return url;
    }

    public void setAuth(String username, String password) {
        this.username = username;
        this.password = password;
    }

    public String getUsername() {
        return username;
    }

    public String getPassword() {
        return password;
    }

    public void addHeaderParam(String name, String value) {
        headerParams.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
    }

    public void addPostParam(String name, String value) {
        postParams.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
    }

    public Map<String, List<String>> getHeaderParams() {
        return headerParams;
    }

    public Map<String, List<String>> getPostParams() {
        return postParams;
    }
}
