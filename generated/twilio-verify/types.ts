/** Made from twilio-verify.yaml by `npm run generate`. Do not edit. */

export interface paths {
    readonly "/v2/Services/{ServiceSid}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the service
         * @description Returns the account's service, for programs that look it up when they start. Each account has exactly one, for
         *     as long as the account exists; change it with `cli accounts`.
         */
        readonly get: operations["fetchService"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v2/Services/{ServiceSid}/Verifications": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send a code
         * @description Generates a code, or takes yours, and sends it to the phone. A new one for the same phone replaces the pending
         *     one and has another `sid`; Twilio would send the same code again.
         */
        readonly post: operations["createVerification"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v2/Services/{ServiceSid}/Verifications/{Sid}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get a verification
         * @description Returns a verification that is pending, or `max_attempts_reached` until it expires. One that is no longer
         *     pending is not found, as with Twilio.
         */
        readonly get: operations["fetchVerification"];
        readonly put?: never;
        /**
         * Cancel or approve a verification
         * @description Ends a pending verification. `approved` says that you checked your own code yourself.
         */
        readonly post: operations["updateVerification"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v2/Services/{ServiceSid}/VerificationCheck": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Check a code
         * @description Compares a code with the one that is pending for a phone, or that was sent with a verification. A wrong code
         *     gets 200 with `status: pending`. A verification that is no longer pending is not found.
         */
        readonly post: operations["createVerificationCheck"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The service of an account. */
        readonly Service: {
            readonly sid: components["schemas"]["ServiceSid"];
            readonly account_sid: components["schemas"]["AccountSid"];
            /**
             * @description The brand of the account, for codes whose request names none; without one, the account's name.
             * @example Acme
             */
            readonly friendly_name: string;
            /**
             * @description How many digits the generated codes have.
             * @example 6
             */
            readonly code_length: number;
            /**
             * @description Whether keys can be allowed to send the caller's own codes, by the scope `verify:custom_code`.
             * @example true
             */
            readonly custom_code_enabled: boolean;
            /**
             * @description Always false.
             * @example false
             */
            readonly lookup_enabled: boolean;
            /**
             * @description Always false.
             * @example false
             */
            readonly skip_sms_to_landlines: boolean;
            /**
             * @description Always false.
             * @example false
             */
            readonly dtmf_input_required: boolean;
            /**
             * @description Always false.
             * @example false
             */
            readonly psd2_enabled: boolean;
            /**
             * @description Always false: the account sets the text of its codes.
             * @example false
             */
            readonly do_not_share_warning_enabled: boolean;
            /**
             * @description Always null.
             * @example null
             */
            readonly default_template_sid: string | null;
            /**
             * @description Always null.
             * @example null
             */
            readonly tts_name: string | null;
            readonly date_created: components["schemas"]["Time"];
            readonly date_updated: components["schemas"]["Time"];
            /**
             * @description Where it was read.
             * @example http://localhost:3000/v2/Services/VA2c1f6d0e9b7a4c35816f0d2e4b9a7c31
             */
            readonly url: string;
        };
        /**
         * @description The id of the account's service.
         * @example VA2c1f6d0e9b7a4c35816f0d2e4b9a7c31
         */
        readonly ServiceSid: string;
        /**
         * @description The id of the account.
         * @example AC8e0b5f7a1d2c493e9f6a7b0c8d1e2f34
         */
        readonly AccountSid: string;
        /**
         * @description A time in UTC, RFC 3339, in whole seconds.
         * @example 2026-11-21T09:30:00Z
         */
        readonly Time: string;
        /**
         * @description Why a request is refused.
         * @example {
         *       "code": 60200,
         *       "message": "This phone number cannot exist.",
         *       "more_info": "http://localhost:3000/docs/errors#invalid_phone",
         *       "status": 400
         *     }
         */
        readonly Error: {
            readonly code: components["schemas"]["ErrorNumber"];
            /**
             * @description A sentence for developers. It contains no code, no key and no phone number.
             * @example This phone number cannot exist.
             */
            readonly message: string;
            /**
             * @description A URL in the reference of this service. After the `#` is the name of the error.
             * @example http://localhost:3000/docs/errors#invalid_phone
             */
            readonly more_info: string;
            /**
             * @description The HTTP status, a number of three digits.
             * @example 400
             */
            readonly status: number;
        };
        /**
         * @description The number of an error, 5 digits. `x-numbers` gives the number of each error of `openapi.yaml` for which Twilio
         *     has one. All others are 20 followed by the HTTP status, like the errors of Twilio's platform. `x-statuses` gives
         *     the HTTP status of numbers for which Twilio uses another one.
         *
         *     The list may grow. If you do not know a number, use the HTTP status.
         *
         *     * `20003`: the API key is missing or not valid.
         *     * `20004`: the path does not take this method.
         *     * `20403`: the key lacks a scope.
         *     * `20404`: there is no such resource, or it is no longer pending.
         *     * `20409`: the `Idempotency-Key` is in use.
         *     * `20413`: the body is too large.
         *     * `20415`: the body is not a form.
         *     * `20429`: too many requests.
         *     * `20500`: the service failed.
         *     * `20503`: the service is temporarily unavailable.
         *     * `60200`: a field is invalid, or the phone number cannot exist.
         *     * `60202`: too many wrong codes.
         *     * `60203`: too many codes for this phone, or the last one was too recent.
         *     * `60223`: no connection can carry the message on this channel.
         *     * `60410`: a rule against SMS pumping blocks the send or requires a captcha, or a budget of the account is spent
         *       for today.
         *     * `60605`: the operator does not send to that country.
         * @example 60200
         * @enum {integer}
         */
        readonly ErrorNumber: 20003 | 20004 | 20403 | 20404 | 20409 | 20413 | 20415 | 20429 | 20500 | 20503 | 60200 | 60202 | 60203 | 60223 | 60410 | 60605;
        /**
         * @example {
         *       "To": "+14155550100",
         *       "Channel": "sms"
         *     }
         */
        readonly CreateVerificationForm: {
            readonly To: components["schemas"]["TypedPhone"];
            readonly Channel: components["schemas"]["Channel"];
            /**
             * @description The name of your application, as `brand_name` in `openapi.yaml`.
             * @example Acme
             */
            readonly CustomFriendlyName?: string;
            /**
             * @description The language of the message, as `locale` in `openapi.yaml`.
             * @example pt-BR
             */
            readonly Locale?: string;
            /**
             * @description A code that you generated, 4 to 10 digits. It needs the scope `verify:custom_code`.
             * @example 40718293
             */
            readonly CustomCode?: string;
            /**
             * @description The 11 characters by which Android's SMS Retriever identifies your app.
             * @example FA+9qCX9VSu
             */
            readonly AppHash?: string;
            /**
             * @description The IP address of the device that requests the code, as `signals.ip` in `openapi.yaml`: with a port, as a
             *     list of `X-Forwarded-For`, or `unknown`.
             * @example 203.0.113.7
             */
            readonly DeviceIp?: string;
            /**
             * @description Whether the account's rules against SMS pumping are applied. The limits of the phone always apply.
             *
             *     * `enable`: they are applied.
             *     * `disable`: they are skipped, as with `signals.trusted` in `openapi.yaml`.
             * @example enable
             * @enum {string}
             */
            readonly RiskCheck?: "enable" | "disable";
            /**
             * @description The values of your own rate limits: a JSON object. `end_user_ip_address`, `user_id` and `device_id` in it
             *     are used as the `signals` `ip`, `user_id` and `device_id` of `openapi.yaml`, for the rules of the account.
             *     Other members are rejected by name, because nothing here would use them.
             * @example {"user_id":"user-1042"}
             */
            readonly RateLimits?: string;
            /**
             * @description Your own tags, as JSON. They are accepted and ignored.
             * @example {"team":"login"}
             */
            readonly Tags?: string;
        };
        /**
         * @description A phone number with its country code, as people write it: `+14155550100` or `+1 (415) 555-0100`. Responses have
         *     it in E.164 form.
         * @example +14155550100
         */
        readonly TypedPhone: string;
        /**
         * @description The channel of a message. A code is sent only through connections of the kinds that `x-kinds` lists for it.
         *
         *     * `sms`: an SMS.
         *     * `whatsapp`: WhatsApp.
         *     * `auto`: the account's connections, in their order. In a response: a channel that is none of the others.
         * @example sms
         * @enum {string}
         */
        readonly Channel: "sms" | "whatsapp" | "auto";
        /** @description A verification. */
        readonly Verification: {
            readonly sid: components["schemas"]["VerificationSid"];
            readonly service_sid: components["schemas"]["ServiceSid"];
            readonly account_sid: components["schemas"]["AccountSid"];
            readonly to: components["schemas"]["Phone"];
            readonly channel: components["schemas"]["Channel"];
            readonly status: components["schemas"]["VerificationStatus"];
            /**
             * @description Whether it was approved.
             * @example false
             */
            readonly valid: boolean;
            /**
             * @description Always empty. This service does not look up carriers.
             * @example {}
             */
            readonly lookup: Record<string, never>;
            /**
             * @description Always null.
             * @example null
             */
            readonly amount: string | null;
            /**
             * @description Always null.
             * @example null
             */
            readonly payee: string | null;
            /** @description Always one. Sending again creates a new verification. */
            readonly send_code_attempts: readonly components["schemas"]["SendCodeAttempt"][];
            readonly date_created: components["schemas"]["Time"];
            readonly date_updated: components["schemas"]["Time"];
            /**
             * @description Always null. There is no silent network authentication.
             * @example null
             */
            readonly sna: Record<string, never> | null;
            /**
             * @description Where this verification can be fetched.
             * @example http://localhost:3000/v2/Services/VA2c1f6d0e9b7a4c35816f0d2e4b9a7c31/Verifications/VE019a640c1b88e3a3bd3ee09f2c2c8da6
             */
            readonly url: string;
        };
        /**
         * @description The id of a verification. It is the `request_id` of `openapi.yaml` in another form: its 26 characters are 128 bits, which
         *     are 32 hexadecimal digits here.
         * @example VE019a640c1b88e3a3bd3ee09f2c2c8da6
         */
        readonly VerificationSid: string;
        /**
         * @description A phone number in E.164 form.
         * @example +14155550100
         */
        readonly Phone: string;
        /**
         * @description The status of a verification. The list has all of Twilio's values.
         *
         *     * `pending`: the code was not entered yet.
         *     * `approved`: the right code was checked, or you approved it.
         *     * `canceled`: you canceled it.
         *     * `max_attempts_reached`: too many wrong codes were checked.
         *     * `expired`: it expired.
         *     * `failed`: it failed.
         *     * `deleted`: it no longer exists.
         * @example pending
         * @enum {string}
         */
        readonly VerificationStatus: "pending" | "approved" | "canceled" | "max_attempts_reached" | "expired" | "failed" | "deleted";
        /**
         * @description A code that was sent.
         * @example {
         *       "attempt_sid": "VL019a640c1b88e3a3bd3ee09f2c2c8da6",
         *       "channel": "sms",
         *       "time": "2026-11-21T09:30:00Z"
         *     }
         */
        readonly SendCodeAttempt: {
            /**
             * @description The id of the attempt.
             * @example VL019a640c1b88e3a3bd3ee09f2c2c8da6
             */
            readonly attempt_sid: string;
            readonly channel: components["schemas"]["Channel"];
            readonly time: components["schemas"]["Time"];
        };
        /**
         * @example {
         *       "Status": "canceled"
         *     }
         */
        readonly UpdateVerificationForm: {
            /**
             * @description How the verification ends. `x-scopes` has the scope that a value needs in addition to that of the operation.
             *
             *     * `canceled`: its code is no longer accepted.
             *     * `approved`: you checked your own code yourself.
             * @example canceled
             * @enum {string}
             */
            readonly Status: "canceled" | "approved";
        };
        /**
         * @description One of `To` and `VerificationSid` is needed. With both, the verification must be for that phone.
         * @example {
         *       "To": "+14155550100",
         *       "Code": "000000"
         *     }
         */
        readonly CreateVerificationCheckForm: {
            readonly Code: components["schemas"]["Code"];
            readonly To?: components["schemas"]["TypedPhone"];
            readonly VerificationSid?: components["schemas"]["VerificationSid"];
        };
        /**
         * @description The code, 4 to 10 digits, as people type it: `000000`, `000-000` or `000 000`, in the digits of any script.
         * @example 000000
         */
        readonly Code: string;
        /** @description The result of a check. */
        readonly VerificationCheck: {
            readonly sid: components["schemas"]["VerificationSid"];
            readonly service_sid: components["schemas"]["ServiceSid"];
            readonly account_sid: components["schemas"]["AccountSid"];
            readonly to: components["schemas"]["Phone"];
            readonly channel: components["schemas"]["Channel"];
            readonly status: components["schemas"]["VerificationStatus"];
            /**
             * @description Whether it was approved.
             * @example false
             */
            readonly valid: boolean;
            /**
             * @description Always null.
             * @example null
             */
            readonly amount: string | null;
            /**
             * @description Always null.
             * @example null
             */
            readonly payee: string | null;
            readonly date_created: components["schemas"]["Time"];
            readonly date_updated: components["schemas"]["Time"];
            /**
             * @description Always null. There is no silent network authentication.
             * @example null
             */
            readonly sna_attempts_error_codes: readonly Record<string, never>[] | null;
        };
    };
    responses: {
        /** @description The API key is missing or not valid, or does not belong to the account of the account SID. */
        readonly Unauthorized: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                readonly "WWW-Authenticate": components["headers"]["WwwAuthenticateHeader"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such service or verification, or the verification is no longer pending. */
        readonly NotFound: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key sends too many requests. */
        readonly RateLimited: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service failed. */
        readonly InternalError: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service is temporarily unavailable. */
        readonly ServiceUnavailable: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such service or verification, or the verification is no longer pending. */
        readonly NotFoundRepeated: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The `Idempotency-Key` is in use. */
        readonly Conflict: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body has more than 16,384 bytes. */
        readonly TooLarge: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not a form in UTF-8. */
        readonly UnsupportedMediaType: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description The service of the account. Each account has one; `cli twilio show` prints its SID.
         * @example VA2c1f6d0e9b7a4c35816f0d2e4b9a7c31
         */
        readonly ServiceInPath: string;
        /**
         * @description 1 to 255 visible ASCII characters that you choose; use a random value for each piece of work. The same key with
         *     another path or body gets 409.
         * @example 0f1c6a52-6c1e-4d7f-9d0e-3b7a8f0e2b11
         */
        readonly IdempotencyKey: string;
        /**
         * @description The SID of a verification, or a phone number in E.164 form for the one that is pending for it, with its plus sign as
         *     `%2B`.
         * @example VE019a640c1b88e3a3bd3ee09f2c2c8da6
         */
        readonly VerificationInPath: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The id of this request in the service's log.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        readonly TraceIdHeader: string;
        /**
         * @description The scheme to use.
         * @example Basic realm="Watchword"
         */
        readonly WwwAuthenticateHeader: "Basic realm=\"Watchword\"";
        /**
         * @description Seconds until the same request can succeed, if nothing else happens in between.
         * @example 42
         */
        readonly RetryAfterHeader: number;
        /**
         * @description `true` if this is the stored response to an earlier request with the same `Idempotency-Key`; otherwise absent.
         * @example true
         */
        readonly IdempotentReplayedHeader: "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly fetchService: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The service of the account. Each account has one; `cli twilio show` prints its SID.
                 * @example VA2c1f6d0e9b7a4c35816f0d2e4b9a7c31
                 */
                readonly ServiceSid: components["parameters"]["ServiceInPath"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The service. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Service"];
                };
            };
            /** @description The path is malformed. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description The key lacks a scope. */
            readonly 403: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly createVerification: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description 1 to 255 visible ASCII characters that you choose; use a random value for each piece of work. The same key with
                 *     another path or body gets 409.
                 * @example 0f1c6a52-6c1e-4d7f-9d0e-3b7a8f0e2b11
                 */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /**
                 * @description The service of the account. Each account has one; `cli twilio show` prints its SID.
                 * @example VA2c1f6d0e9b7a4c35816f0d2e4b9a7c31
                 */
                readonly ServiceSid: components["parameters"]["ServiceInPath"];
            };
            readonly cookie?: never;
        };
        /** @description The phone, and how to reach it. */
        readonly requestBody: {
            readonly content: {
                readonly "application/x-www-form-urlencoded": components["schemas"]["CreateVerificationForm"];
            };
        };
        readonly responses: {
            /** @description The code was generated, and its message was accepted for sending. */
            readonly 201: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Verification"];
                };
            };
            /** @description A field is invalid, the number cannot exist, or no connection can carry the message. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /**
             * @description The key lacks a scope, the operator does not send to that country, a rule of the account blocks the request
             *     or requires a captcha, or a budget of the account is spent for today.
             */
            readonly 403: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly 404: components["responses"]["NotFoundRepeated"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many codes for this phone, or too many requests. */
            readonly 429: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly fetchVerification: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The service of the account. Each account has one; `cli twilio show` prints its SID.
                 * @example VA2c1f6d0e9b7a4c35816f0d2e4b9a7c31
                 */
                readonly ServiceSid: components["parameters"]["ServiceInPath"];
                /**
                 * @description The SID of a verification, or a phone number in E.164 form for the one that is pending for it, with its plus sign as
                 *     `%2B`.
                 * @example VE019a640c1b88e3a3bd3ee09f2c2c8da6
                 */
                readonly Sid: components["parameters"]["VerificationInPath"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The verification. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Verification"];
                };
            };
            /** @description The path is malformed. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description The key lacks a scope. */
            readonly 403: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly updateVerification: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description 1 to 255 visible ASCII characters that you choose; use a random value for each piece of work. The same key with
                 *     another path or body gets 409.
                 * @example 0f1c6a52-6c1e-4d7f-9d0e-3b7a8f0e2b11
                 */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /**
                 * @description The service of the account. Each account has one; `cli twilio show` prints its SID.
                 * @example VA2c1f6d0e9b7a4c35816f0d2e4b9a7c31
                 */
                readonly ServiceSid: components["parameters"]["ServiceInPath"];
                /**
                 * @description The SID of a verification, or a phone number in E.164 form for the one that is pending for it, with its plus sign as
                 *     `%2B`.
                 * @example VE019a640c1b88e3a3bd3ee09f2c2c8da6
                 */
                readonly Sid: components["parameters"]["VerificationInPath"];
            };
            readonly cookie?: never;
        };
        /** @description How it ends. */
        readonly requestBody: {
            readonly content: {
                readonly "application/x-www-form-urlencoded": components["schemas"]["UpdateVerificationForm"];
            };
        };
        readonly responses: {
            /** @description It is no longer pending. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Verification"];
                };
            };
            /** @description A field is invalid. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description The key lacks a scope. */
            readonly 403: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly 404: components["responses"]["NotFoundRepeated"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many wrong codes, or too many requests. */
            readonly 429: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly createVerificationCheck: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description 1 to 255 visible ASCII characters that you choose; use a random value for each piece of work. The same key with
                 *     another path or body gets 409.
                 * @example 0f1c6a52-6c1e-4d7f-9d0e-3b7a8f0e2b11
                 */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /**
                 * @description The service of the account. Each account has one; `cli twilio show` prints its SID.
                 * @example VA2c1f6d0e9b7a4c35816f0d2e4b9a7c31
                 */
                readonly ServiceSid: components["parameters"]["ServiceInPath"];
            };
            readonly cookie?: never;
        };
        /** @description The code, and what it is for. */
        readonly requestBody: {
            readonly content: {
                readonly "application/x-www-form-urlencoded": components["schemas"]["CreateVerificationCheckForm"];
            };
        };
        readonly responses: {
            /** @description The code was compared. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VerificationCheck"];
                };
            };
            /** @description A field is invalid. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description The key lacks a scope. */
            readonly 403: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly 404: components["responses"]["NotFoundRepeated"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many wrong codes, or too many requests. */
            readonly 429: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
}
