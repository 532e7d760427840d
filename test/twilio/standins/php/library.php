<?php
// Stands in for Twilio's library: as much as docs/twilio.md uses.
namespace Twilio\Http {
    class Response
    {
        public function __construct(public string $content)
        {
        }
    }

    interface Client
    {
        public function request(string $method, string $url, array $params = [], array $data = [], array $headers = [],
            ?string $user = null, ?string $password = null, ?int $timeout = null): Response;
    }

    class CurlClient implements Client
    {
        public function request(string $method, string $url, array $params = [], array $data = [], array $headers = [],
            ?string $user = null, ?string $password = null, ?int $timeout = null): Response
        {
            $headers[] = 'Authorization: Basic ' . base64_encode("$user:$password");
            $headers[] = 'Content-Type: application/x-www-form-urlencoded';
            $http = ['method' => $method, 'header' => $headers, 'content' => http_build_query($data), 'timeout' => $timeout ?? 60];
            return new Response(file_get_contents($url, false, stream_context_create(['http' => $http])));
        }
    }
}

namespace Twilio\Rest {
    class Client
    {
        public function __construct(private ?string $username = null, private ?string $password = null,
            private ?string $accountSid = null, private ?string $region = null, private ?\Twilio\Http\Client $httpClient = null)
        {
        }

        public function request(string $method, string $uri, array $params = [], array $data = []): array
        {
            $response = $this->httpClient->request($method, $uri, $params, $data, [], $this->username, $this->password);
            return json_decode($response->content, true);
        }
    }
}
