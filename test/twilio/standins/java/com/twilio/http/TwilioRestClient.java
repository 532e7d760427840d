package com.twilio.http;

public class TwilioRestClient {
    private final Builder made;

    private TwilioRestClient(Builder made) {
        this.made = made;
    }

    public Response request(Request request) {
        request.setAuth(made.username, made.password);
        return made.httpClient.makeRequest(request);
    }

    public static class Builder {
        private final String username;
        private final String password;
        private NetworkHttpClient httpClient;

        public Builder(String username, String password) {
            this.username = username;
            this.password = password;
        }

        public Builder httpClient(NetworkHttpClient httpClient) {
            this.httpClient = httpClient;
            return this;
        }

        public TwilioRestClient build() {
            return new TwilioRestClient(this);
        }
    }
}
