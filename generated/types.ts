/** Made from openapi.yaml by `npm run generate`. Do not edit. */

export interface paths {
    readonly "/v1/verify/send": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send a one-time code
         * @description Generates a numeric code, or takes yours, and sends it to the phone. No response ever contains the code.
         *
         *     A new send to the same phone replaces the code that is still pending for it in this account, from any source.
         *     With a live key, an account can send to one phone once in 60 seconds, 5 times in 10 minutes, 10 times in an hour
         *     and 20 times in a day. Beyond that, the response is 429, and `Retry-After` says how many seconds to wait. Codes
         *     that an auth system posts to an inlet and checks itself do not replace a pending code and do not start the wait
         *     of 60 seconds. They count towards the other three limits.
         */
        readonly post: operations["sendVerification"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/verify/check": {
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
         * @description Compares a code with the one that was sent. If the request is known and the code is well-formed, the response is
         *     200, unless a limit is reached. `verified` says whether the code was right; if not, `reason` says why.
         *
         *     A request allows 5 attempts, or 3 if its code has 4 or 5 digits. An attempt is counted before the code is
         *     compared. A code works once. After 10 wrong codes for one phone in an hour, over all of its requests in this
         *     account, checks for that phone get 429 until the hour is over. A new send does not change that.
         */
        readonly post: operations["checkVerification"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/verify/check-by-phone": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Check a code by its phone
         * @description Does what `checkVerification` does, for callers that do not store the `request_id`: compares a code with the one
         *     that is pending for the phone in this account and mode. A code is pending until it is verified, has no attempts
         *     left, expires, is cancelled or is replaced by a newer one. If no code is pending, the response is 404. A code
         *     that an auth system posted to an inlet is never pending here: that system checks it, and `confirmVerification`
         *     says that it was right.
         *
         *     The attempts and the limits are those of `checkVerification`: it is the same code, whichever way it is checked.
         */
        readonly post: operations["checkVerificationByPhone"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/verify/confirm": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Confirm a code that you checked
         * @description Reports that the user entered the right code, where you or your auth system generated the code and checked it: a
         *     code that was sent with `code`, or that came through an inlet. From then on it counts as verified, which the
         *     rules against SMS pumping rely on. Identify it by its `request_id`, or by its `phone`, which means the newest
         *     such code sent to that phone.
         *
         *     A code counts once, and only until it expires here. A code that Watchword generated cannot be confirmed; check
         *     it instead. A code that was sent with `code` is pending here too: confirming it has the effect of a successful
         *     check, with the same limits and events.
         */
        readonly post: operations["confirmVerification"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/verify/cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Cancel a verification
         * @description Ends a pending verification: from now on, a check of its code responds as if it had expired. A message that was
         *     sent cannot be recalled; one that has not been sent yet is not sent. A status `sent` becomes `expired` at once.
         */
        readonly post: operations["cancelVerification"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/messages": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List messages
         * @description Lists the messages of the account in the mode of the key, newest first. The response never contains codes,
         *     phones or texts.
         *
         *     A page has up to `limit` messages. If only a few of very many messages match, it may have fewer, or even none,
         *     before the end. Continue with `after` until `next` is null. New messages go before the first page, so no message
         *     is listed twice or skipped.
         */
        readonly get: operations["listMessages"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/messages/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the status of a message
         * @description Returns what happened to the message of a verification or a notification, on each channel that was tried. The
         *     response never contains the code, the text or the phone; `recipient` identifies the phone without its number.
         */
        readonly get: operations["getMessage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/notifications/send": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send a template message
         * @description Fills a template of the account with your variables and queues the message. The variables must be exactly those that
         *     the template names. With a live key, one phone can get 60 notifications of an account in an hour.
         *
         *     Set a `reference` of your own to find it again: the message, its events and the list of messages contain it.
         *
         *     With `send_at`, it waits until then as `queued`. It is stored now: errors are returned at once, and a later
         *     change of the template does not change it. Limits of its phone, budgets and opt-outs count when it is sent. If
         *     one of these stops it then, it ends as `failed`.
         */
        readonly post: operations["sendNotification"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/notifications/cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Cancel a scheduled notification
         * @description Cancels a notification that waits for its `send_at`: it is not sent, and becomes `expired` at once. One whose
         *     time has come is no longer cancelled: `status` says how far it is. To move a notification to another time, cancel
         *     it, and send it again if `cancelled` is `true`.
         */
        readonly post: operations["cancelNotification"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/notifications/preview": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Preview a notification
         * @description Takes the body of a send, and returns what each channel of the account would send, or why it would not. It
         *     creates, sends and counts nothing, and contacts no provider.
         *
         *     An invalid request gets the same error as from a send. What depends on the moment is in `refusals`: a limit of
         *     the phone, an opt-out, a spent budget, a country that is not allowed, no channel that can carry it. For a
         *     scheduled notification, limits and budgets are left out: those of its time count.
         */
        readonly post: operations["previewNotification"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/templates": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List templates
         * @description Lists the templates of the account, by their slugs. Keys of both modes see the same ones.
         *
         *     A page has up to `limit` templates, and fewer if they are long. Continue with `after` until `next` is null.
         */
        readonly get: operations["listTemplates"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/templates/{slug}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get a template
         * @description Returns the current version of a template: its text in each language, its number, and the variables that a
         *     notification fills.
         */
        readonly get: operations["getTemplate"];
        /**
         * Add or change a template
         * @description Makes the template with that slug what the body says: adds it, or changes it, which creates a new version. A
         *     request that changes nothing creates no new version, so it is safe to repeat. `category`, `default_locale` and
         *     `locales` from the response of `getTemplate` are a valid body.
         *
         *     Both modes share the templates: a test key also changes what live messages are made from. Notifications that
         *     wait for their `send_at` keep the version that they were made from. The account's audit log names the key.
         */
        readonly put: operations["putTemplate"];
        readonly post?: never;
        /**
         * Delete a template
         * @description Deletes a template, in both modes. From then on, sending a notification with it returns `unknown_template`;
         *     notifications that were accepted before, also for a later `send_at`, are still sent. A template that is added
         *     later with the same slug gets the next version number.
         */
        readonly delete: operations["deleteTemplate"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/opt-outs/add": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Record that a phone opted out
         * @description Stops notifications of this account and mode to a phone, on every connection, at once: `sendNotification`
         *     returns 403 `opted_out`, and scheduled notifications fail with it when their time comes. With `category:
         *     marketing`, only notifications of templates of that category stop. Codes are still sent, because the owner of
         *     the phone requests each of them.
         *
         *     A phone that had opted out before keeps its first `source` and `since`. An opt-out of `all` replaces one of `marketing`; one
         *     of `marketing` changes nothing where `all` is in place.
         *
         *     Opt-outs survive the erasure of a phone, as a keyed hash: erasing a person must not make them reachable again.
         */
        readonly post: operations["addOptOut"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/opt-outs/remove": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Record that a phone opted in again
         * @description Removes an opt-out, whatever its `source`: notifications of this account and mode are sent to the phone again.
         *     Call this only if the owner of the phone asked for it. A provider that keeps its own list refuses the next
         *     message, which records the opt-out again.
         */
        readonly post: operations["removeOptOut"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/opt-outs/find": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Find out whether a phone opted out
         * @description Returns whether notifications of this account and mode are sent to a phone, and if not, who opted it out and
         *     when. The phone is in the body because URLs are logged. With an `Idempotency-Key`, a retry gets the first
         *     response: leave it out to read the current state.
         */
        readonly post: operations["findOptOut"];
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
        readonly SendVerificationRequest: {
            readonly phone: components["schemas"]["Phone"];
            /**
             * @description A code that you generated, 4 to 10 digits, in place of one that Watchword generates. It needs the scope
             *     `verify:custom_code`, and excludes `length`. Generate a new code for each send, with a cryptographically
             *     secure random number generator. A connection that cannot carry a code of this length is skipped: Telegram
             *     takes 4 to 8 digits. It is checked like any other code; `checkVerification` takes up to 8 digits,
             *     `checkVerificationByPhone` up to 10. If you check it yourself, report with `confirmVerification` that it was
             *     right. With a test key, all zeros verifies too.
             * @example 40718293
             */
            readonly code?: string;
            /**
             * @description The number of digits of the code that Watchword generates. Codes of 4 and 5 digits allow 3 attempts, longer
             *     ones 5.
             * @default 6
             * @example 6
             */
            readonly length: number;
            /**
             * @description The name of your application. The message contains it if the channel has a place for it. 1 to 30 characters:
             *     letters, digits, space and `- _ . & '`, a letter or digit among them; at most 4 digits; nothing that reads
             *     as a URL, which is a dot with a letter or digit before it and two letters after it, or an IP address. A
             *     curly apostrophe (`’`) is sent as `'`.
             * @example Acme
             */
            readonly brand_name?: string;
            /**
             * @description The language of the message: a BCP 47 tag, like `de` or `pt-BR`, as browsers and phones name it; `pt_BR` and
             *     `pt_BR.UTF-8` are accepted as well. If there is no text in that variant, the language itself is used; if
             *     there is none in that language, or this names no language, the account's default language, or else English.
             *     It is stored only with the message, and no response or event contains it.
             * @example pt-BR
             */
            readonly locale?: string;
            readonly channels?: components["schemas"]["ChannelOrder"];
            readonly autofill?: components["schemas"]["Autofill"];
            readonly signals?: components["schemas"]["Signals"];
        };
        /**
         * @description A phone number in E.164 form, a plus sign and at most 15 digits. The number must be able to exist, and must not
         *     charge its caller: no premium rate, shared cost, personal, pager or satellite numbers.
         *
         *     Some phones have two numbers: mobile phones of Argentina (`+54 9 11 …` and `+54 11 …`), and those of Palestine with
         *     59 and 56 (`+970 59 …` and `+972 59 …`). Both count as one phone, and messages go to the number that was given.
         * @example +14155550100
         */
        readonly Phone: string;
        /**
         * @description The only kinds of channels that may carry it, in this order: if one cannot send it, the next one tries. Channels
         *     of the same kind follow the order of the account. A kind that the account does not have, or that cannot carry
         *     this message, is skipped; if none is left, the response is 403 `no_channel`, and `details` says why. Without
         *     this field, all channels of the account may carry it, in its order. With a test key, the sandbox carries it.
         * @example [
         *       "whatsapp",
         *       "sms"
         *     ]
         */
        readonly ChannelOrder: readonly components["schemas"]["ChannelKind"][];
        /**
         * @description The kind of a channel:
         *
         *     * `whatsapp`: WhatsApp, through Meta's Cloud API.
         *     * `telegram`: the Telegram Gateway, for codes.
         *     * `sms`: an SMS provider.
         *     * `http`: the operator's own gateway.
         *     * `sandbox`: the simulated phone. Test keys use no other channel.
         *
         *     The list may grow.
         * @example sms
         * @enum {string}
         */
        readonly ChannelKind: "whatsapp" | "telegram" | "sms" | "http" | "sandbox";
        /**
         * @description What the text of the message needs for the phone to fill in the code automatically. Only channels that write the
         *     text themselves use it, like SMS; other channels have their own mechanisms.
         * @example {
         *       "domain": "acme.com"
         *     }
         */
        readonly Autofill: {
            /**
             * @description The host of the page that asks for the code, without `https://`, port and path. The message ends with the
             *     line `@acme.com #482913`. iOS and WebOTP in Chrome offer the code only to pages of that host.
             *     Internationalized hosts are written in their ASCII form, `xn--…`. With a test key, it can be `localhost`.
             * @example acme.com
             */
            readonly domain?: string;
            /**
             * @description The 11 characters by which Android's SMS Retriever identifies your app. They are the last line of the
             *     message, after the line of `domain`. The message then has at most 140 bytes. To fit, the line of `domain` is
             *     dropped first, then how long the code is valid, then the name of your application.
             * @example FA+9qCX9VSu
             */
            readonly app_hash?: string;
        };
        /**
         * @description What your application knows about the person who requests the code, for the account's rules against SMS pumping.
         *     Addresses, users, devices and user agents are stored with the message only as keyed hashes, and no response,
         *     event or log contains any of it.
         * @example {
         *       "ip": "203.0.113.7",
         *       "user_id": "user-1042"
         *     }
         */
        readonly Signals: {
            /**
             * @description The IPv4 or IPv6 address of the person's device, as your application saw it; not the address of one of your
             *     servers. A port may follow it, as in `203.0.113.7:51234` and `[2001:db8::1]:443`, and is ignored.
             *
             *     It may be the value of your proxy's `X-Forwarded-For`: of a list, the first public address is used, or the
             *     first one if none is public. Clients can forge the left part of that list: if you know your proxies, send
             *     the address that they saw. An empty text, `-` and `unknown` count as no address.
             * @example 203.0.113.7
             */
            readonly ip?: string;
            /**
             * @description Your own id for the user who requests the code.
             * @example user-1042
             */
            readonly user_id?: string;
            /**
             * @description Your own id for the device.
             * @example device-7
             */
            readonly device_id?: string;
            /**
             * @description The `User-Agent` of the person's browser or app.
             * @example Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0
             */
            readonly user_agent?: string;
            /**
             * @description What your application runs on, in your own words, like `ios` or `web`.
             * @example web
             */
            readonly platform?: string;
            /**
             * @description The version of your application.
             * @example 4.2.0
             */
            readonly app_version?: string;
            /**
             * @description `true` if you know by other means that the person is real, for example because they are a paying customer.
             *     The rules are then skipped; the limits of the phone still apply.
             * @example false
             */
            readonly trusted?: boolean;
            readonly captcha?: components["schemas"]["Captcha"];
        };
        /**
         * @description A captcha that the person solved, and that your server verified with its provider.
         * @example {
         *       "provider": "turnstile"
         *     }
         */
        readonly Captcha: {
            /**
             * @description The provider of the captcha, in your own words.
             * @example turnstile
             */
            readonly provider?: string;
            /**
             * Format: double
             * @description The provider's score that it is a person, from 0 to 1: 0.9 is 90 percent. Omit it if the provider only
             *     passes or fails, and it passed.
             * @example 0.9
             */
            readonly score?: number;
        };
        /**
         * @description 32 lower-case hexadecimal digits: the id of the request in the service's log.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        readonly TraceId: string;
        readonly SendVerificationReply: {
            /**
             * @description Always `true`.
             * @example true
             */
            readonly success: boolean;
            readonly data: components["schemas"]["SentVerification"];
        };
        /** @description The new verification. */
        readonly SentVerification: {
            readonly request_id: components["schemas"]["RequestId"];
            /**
             * @description Always `sent`; get the message for its current status.
             * @example sent
             * @enum {string}
             */
            readonly status: "sent";
            /**
             * @description How many seconds the code is valid.
             * @example 600
             */
            readonly expires_in: number;
        };
        /**
         * @description `req_` and 26 characters of Crockford's base32: 48 bits of time, then 80 random bits. Ids sort by the time they
         *     were made.
         * @example req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6
         */
        readonly RequestId: string;
        /** @description The body or a header is invalid, or the phone number cannot exist. */
        readonly InvalidSendVerificationError: {
            /**
             * @description Always `false`.
             * @example false
             */
            readonly success: boolean;
            readonly data: components["schemas"]["InvalidSendVerificationProblem"];
        };
        /** @description The body or a header is invalid, or the phone number cannot exist. */
        readonly InvalidSendVerificationProblem: {
            /**
             * @description See `ErrorCode` for what each one means. The list may grow: if you do not know a code, use the HTTP status.
             * @example invalid_json
             * @enum {string}
             */
            readonly code: "invalid_json" | "invalid_request" | "invalid_phone";
            readonly message: components["schemas"]["ErrorMessage"];
            readonly details?: components["schemas"]["ErrorDetails"];
            readonly trace_id: components["schemas"]["TraceId"];
        };
        /**
         * @description One sentence for a developer. It may change; in programs, use `code`.
         * @example The request does not match the contract; details names every fault.
         */
        readonly ErrorMessage: string;
        /**
         * @description One entry for each wrong field; if there are very many, the first 20. If a body has U+0000 or unpaired surrogates,
         *     only they are named.
         */
        readonly ErrorDetails: readonly components["schemas"]["ErrorDetail"][];
        /** @description One wrong field. */
        readonly ErrorDetail: {
            /**
             * @description Where: a JSON pointer into the body (`/phone`, or the empty string for the body itself), `header:` and a
             *     header's name, `path:` or `query:` and a parameter's, or `rule:` or `budget:` and the id of a rule or a
             *     budget of the account. If it has more than 100 characters, it is truncated and ends with `…`.
             * @example /phone
             */
            readonly field: string;
            /**
             * @description * `missing`: it is required.
             *     * `unknown`: there is no such field, variable or template, or no channel of that kind that can carry the message.
             *     * `wrong_type`: it has the wrong JSON type.
             *     * `wrong_format`: the text does not have the right form.
             *     * `too_short`, `too_long`: the text has too few or too many characters.
             *     * `too_small`, `too_large`: the number is too small or too large, or the time too early or too late.
             *     * `too_many`: the object has too many members.
             *     * `repeated`: it may be given only once.
             *     * `excluded`: it cannot be combined with another field.
             *     * `blocked`, `challenged`: a rule of the account blocks the send, or requires a captcha first.
             *     * `spent`: a budget of the account is spent for today.
             *
             *     The list may grow. If you do not know a value, `field` says what is wrong, and `message` what is expected.
             * @example missing
             * @enum {string}
             */
            readonly code: "missing" | "unknown" | "wrong_type" | "wrong_format" | "too_short" | "too_long" | "too_small" | "too_large" | "too_many" | "repeated" | "excluded" | "blocked" | "challenged" | "spent";
            /**
             * @description What is expected, for a developer.
             * @example is required
             */
            readonly message: string;
        };
        /** @description The API key is missing or not valid. */
        readonly UnauthorizedError: {
            /**
             * @description Always `false`.
             * @example false
             */
            readonly success: boolean;
            readonly data: components["schemas"]["UnauthorizedProblem"];
        };
        /** @description The API key is missing or not valid. */
        readonly UnauthorizedProblem: {
            /**
             * @description See `ErrorCode` for what each one means. The list may grow: if you do not know a code, use the HTTP status.
             * @example missing_api_key
             * @enum {string}
             */
            readonly code: "missing_api_key" | "invalid_api_key" | "revoked_api_key" | "expired_api_key";
            readonly message: components["schemas"]["ErrorMessage"];
            readonly trace_id: components["schemas"]["TraceId"];
        };
        /** @description The key lacks a scope, nothing may be sent to that phone, or a rule or a budget of the account refuses the send. */
        readonly ForbiddenVerificationError: {
            /**
             * @description Always `false`.
             * @example false
             */
            readonly success: boolean;
            readonly data: components["schemas"]["ForbiddenVerificationProblem"];
        };
        /** @description The key lacks a scope, nothing may be sent to that phone, or a rule or a budget of the account refuses the send. */
        readonly ForbiddenVerificationProblem: {
            /**
             * @description See `ErrorCode` for what each one means. The list may grow: if you do not know a code, use the HTTP status.
             * @example send_blocked
             * @enum {string}
             */
            readonly code: "insufficient_scope" | "country_not_allowed" | "no_channel" | "send_blocked" | "challenge_required" | "budget_spent";
            readonly message: components["schemas"]["ErrorMessage"];
            readonly details?: components["schemas"]["ErrorDetails"];
            readonly trace_id: components["schemas"]["TraceId"];
        };
        /** @description The `Idempotency-Key` is in use. */
        readonly IdempotencyConflictError: {
            /**
             * @description Always `false`.
             * @example false
             */
            readonly success: boolean;
            readonly data: components["schemas"]["IdempotencyConflictProblem"];
        };
        /** @description The `Idempotency-Key` is in use. */
        readonly IdempotencyConflictProblem: {
            /**
             * @description See `ErrorCode` for what each one means. The list may grow: if you do not know a code, use the HTTP status.
             * @example idempotency_key_reused
             * @enum {string}
             */
            readonly code: "idempotency_key_reused" | "idempotency_in_progress";
            readonly message: components["schemas"]["ErrorMessage"];
            readonly trace_id: components["schemas"]["TraceId"];
        };
        /** @description The body is too large. */
        readonly BodyTooLargeError: {
            /**
             * @description Always `false`.
             * @example false
             */
            readonly success: boolean;
            readonly data: components["schemas"]["BodyTooLargeProblem"];
        };
        /** @description The body is too large. */
        readonly BodyTooLargeProblem: {
            /**
             * @description See `ErrorCode` for what each one means. The list may grow: if you do not know a code, use the HTTP status.
             * @example body_too_large
             * @enum {string}
             */
            readonly code: "body_too_large";
            readonly message: components["schemas"]["ErrorMessage"];
            readonly trace_id: components["schemas"]["TraceId"];
        };
        /** @description The body is not plain JSON. */
        readonly UnsupportedMediaTypeError: {
            /**
             * @description Always `false`.
             * @example false
             */
            readonly success: boolean;
            readonly data: components["schemas"]["UnsupportedMediaTypeProblem"];
        };
        /** @description The body is not plain JSON. */
        readonly UnsupportedMediaTypeProblem: {
            /**
             * @description See `ErrorCode` for what each one means. The list may grow: if you do not know a code, use the HTTP status.
             * @example unsupported_media_type
             * @enum {string}
             */
            readonly code: "unsupported_media_type";
            readonly message: components["schemas"]["ErrorMessage"];
            readonly trace_id: components["schemas"]["TraceId"];
        };
        /** @description A limit of the phone or of the key was reached. */
        readonly LimitedSendVerificationError: {
            /**
             * @description Always `false`.
             * @example false
             */
            readonly success: boolean;
            readonly data: components["schemas"]["LimitedSendVerificationProblem"];
        };
        /** @description A limit of the phone or of the key was reached. */
        readonly LimitedSendVerificationProblem: {
            /**
             * @description See `ErrorCode` for what each one means. The list may grow: if you do not know a code, use the HTTP status.
             * @example resend_cooldown
             * @enum {string}
             */
            readonly code: "resend_cooldown" | "send_limit_reached" | "rate_limited";
            readonly message: components["schemas"]["ErrorMessage"];
            readonly retry_after: components["schemas"]["RetryAfterSeconds"];
            readonly trace_id: components["schemas"]["TraceId"];
        };
        /**
         * @description Seconds to wait before a retry; on 429 and 503. The same number as in the `Retry-After` header.
         * @example 42
         */
        readonly RetryAfterSeconds: number;
        /** @description The service failed. */
        readonly InternalErrorError: {
            /**
             * @description Always `false`.
             * @example false
             */
            readonly success: boolean;
            readonly data: components["schemas"]["InternalErrorProblem"];
        };
        /** @description The service failed. */
        readonly InternalErrorProblem: {
            /**
             * @description See `ErrorCode` for what each one means. The list may grow: if you do not know a code, use the HTTP status.
             * @example internal_error
             * @enum {string}
             */
            readonly code: "internal_error";
            readonly message: components["schemas"]["ErrorMessage"];
            readonly trace_id: components["schemas"]["TraceId"];
        };
        /** @description The service is temporarily unavailable. */
        readonly ServiceUnavailableError: {
            /**
             * @description Always `false`.
             * @example false
             */
            readonly success: boolean;
            readonly data: components["schemas"]["ServiceUnavailableProblem"];
        };
        /** @description The service is temporarily unavailable. */
        readonly ServiceUnavailableProblem: {
            /**
             * @description See `ErrorCode` for what each one means. The list may grow: if you do not know a code, use the HTTP status.
             * @example service_unavailable
             * @enum {string}
             */
            readonly code: "service_unavailable";
            readonly message: components["schemas"]["ErrorMessage"];
            readonly retry_after: components["schemas"]["RetryAfterSeconds"];
            readonly trace_id: components["schemas"]["TraceId"];
        };
        readonly CheckVerificationRequest: {
            readonly request_id: components["schemas"]["RequestId"];
            /**
             * @description What the user typed, 4 to 8 digits. A string, because it may begin with zero.
             * @example 000000
             */
            readonly code: string;
            readonly receipt?: components["schemas"]["ReceiptRequest"];
        };
        /**
         * @description Requests a receipt for a right code: a signed proof that another service can verify on its own. If the service
         *     has no public address, the response is 400 and no attempt is counted. A code that your own system generated gets
         *     none: `receipt_unavailable` says so.
         */
        readonly ReceiptRequest: {
            /**
             * @description The service that will verify the receipt, by the name that it expects. Other services must reject it.
             * @example shop
             */
            readonly audience: string;
            /**
             * @description What the verifying service gave you for this receipt, if anything. The receipt contains it unchanged.
             * @example n-0S6
             */
            readonly nonce?: string;
        };
        readonly CheckVerificationReply: {
            /**
             * @description Always `true`, also when the code did not match.
             * @example true
             */
            readonly success: boolean;
            readonly data: components["schemas"]["CheckResult"];
        };
        /** @description The result of the check. `result` says which; `verified` says the same as a boolean. */
        readonly CheckResult: components["schemas"]["Verified"] | components["schemas"]["NotVerified"];
        /** @description The code matched. */
        readonly Verified: {
            /**
             * @description Always `verified`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly result: "verified";
            /**
             * @description Always `true`.
             * @example true
             */
            readonly verified: boolean;
            /**
             * Format: date-time
             * @description ISO 8601 date and time in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            readonly timestamp: string;
            readonly receipt?: components["schemas"]["Receipt"];
            readonly receipt_unavailable?: components["schemas"]["ReceiptUnavailable"];
        };
        /**
         * @description A receipt, if one was requested: a JWS in its compact form, signed with EdDSA, valid for 10 minutes. Its claims
         *     are `iss`, `aud`, `iat`, `exp`, `jti` (the `request_id`), `phone_number`, `phone_number_verified`, `account`
         *     (the id of the account whose key made the request, so that services can reject receipts of other accounts),
         *     `channel` (the id of the connection that delivered the code) and `nonce`; with a test key also `mode`, which is
         *     `test`. The public keys are at `/.well-known/jwks.json`, those of test keys at `/.well-known/jwks-test.json`.
         * @example eyJhbGciOiJFZERTQSIsInR5cCI6IndhdGNod29yZC1yZWNlaXB0K2p3dCIsImtpZCI6ImtQcktfcW14VldhWVZBOXd3QkY2SXVvM3ZWeno3VHhIQ1R3WEJ5Z3JTNGsifQ.eyJwaG9uZV9udW1iZXIiOiIrMTQxNTU1NTAxMDAiLCJwaG9uZV9udW1iZXJfdmVyaWZpZWQiOnRydWUsImNoYW5uZWwiOiJzYW5kYm94Iiwibm9uY2UiOiJuLTBTNiIsIm1vZGUiOiJ0ZXN0IiwiaXNzIjoiaHR0cHM6Ly9vdHAuYWNtZS5jb20iLCJhdWQiOiJzaG9wIiwiaWF0IjoxNzk1MjUzNDAwLCJleHAiOjE3OTUyNTQwMDAsImp0aSI6InJlcV8wMUtBSjBSNlc4WjNUNVY3WDlZMUIyQzRENiJ9.-O6iC7JUx_00Je8thAyMt_rRtwGQaHwa464AEdjxI7j6gUzlKh1fvsW9iOtD9P4FHN4VTSsG09eIDIQw9NN5Ag
         */
        readonly Receipt: string;
        /**
         * @description Why there is no receipt, although one was requested and the code was right.
         *
         *     * `custom_code`: your own system generated the code, so it knew the code before the phone did. A receipt proves
         *       that a code came back that only the phone had.
         *
         *     The list may grow. Whatever the value is, the phone is verified and there is no receipt.
         * @example custom_code
         * @enum {string}
         */
        readonly ReceiptUnavailable: "custom_code";
        /** @description The code did not match, or could no longer be compared. */
        readonly NotVerified: {
            /**
             * @description Always `not_verified`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly result: "not_verified";
            /**
             * @description Always `false`.
             * @example false
             */
            readonly verified: boolean;
            /**
             * Format: date-time
             * @description ISO 8601 date and time in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            readonly timestamp: string;
            /**
             * @description * `incorrect_code`: the code is wrong, and attempts are left.
             *     * `attempts_exhausted`: this was the last attempt, or no attempts were left.
             *     * `expired`: the code has expired.
             *     * `already_verified`: the code was already used.
             *     * `superseded`: a newer code was sent to this phone.
             *
             *     The list may grow. If you do not know a value, `attempts_remaining` says whether another code can be tried.
             * @example incorrect_code
             * @enum {string}
             */
            readonly reason: "incorrect_code" | "attempts_exhausted" | "expired" | "already_verified" | "superseded";
            /**
             * @description The number of attempts left for this request; 0 unless `reason` is `incorrect_code`.
             * @example 4
             */
            readonly attempts_remaining: number;
        };
        /** @description The body or a header is invalid. */
        readonly InvalidBodyError: {
            /**
             * @description Always `false`.
             * @example false
             */
            readonly success: boolean;
            readonly data: components["schemas"]["InvalidBodyProblem"];
        };
        /** @description The body or a header is invalid. */
        readonly InvalidBodyProblem: {
            /**
             * @description See `ErrorCode` for what each one means. The list may grow: if you do not know a code, use the HTTP status.
             * @example invalid_json
             * @enum {string}
             */
            readonly code: "invalid_json" | "invalid_request";
            readonly message: components["schemas"]["ErrorMessage"];
            readonly details?: components["schemas"]["ErrorDetails"];
            readonly trace_id: components["schemas"]["TraceId"];
        };
        /** @description The key lacks the scope of the operation. */
        readonly InsufficientScopeError: {
            /**
             * @description Always `false`.
             * @example false
             */
            readonly success: boolean;
            readonly data: components["schemas"]["InsufficientScopeProblem"];
        };
        /** @description The key lacks the scope of the operation. */
        readonly InsufficientScopeProblem: {
            /**
             * @description See `ErrorCode` for what each one means. The list may grow: if you do not know a code, use the HTTP status.
             * @example insufficient_scope
             * @enum {string}
             */
            readonly code: "insufficient_scope";
            readonly message: components["schemas"]["ErrorMessage"];
            readonly trace_id: components["schemas"]["TraceId"];
        };
        /** @description This account and mode has no such verification. */
        readonly VerificationNotFoundError: {
            /**
             * @description Always `false`.
             * @example false
             */
            readonly success: boolean;
            readonly data: components["schemas"]["VerificationNotFoundProblem"];
        };
        /** @description This account and mode has no such verification. */
        readonly VerificationNotFoundProblem: {
            /**
             * @description See `ErrorCode` for what each one means. The list may grow: if you do not know a code, use the HTTP status.
             * @example verification_not_found
             * @enum {string}
             */
            readonly code: "verification_not_found";
            readonly message: components["schemas"]["ErrorMessage"];
            readonly trace_id: components["schemas"]["TraceId"];
        };
        /** @description A limit of the phone or of the key was reached. */
        readonly LimitedCheckVerificationError: {
            /**
             * @description Always `false`.
             * @example false
             */
            readonly success: boolean;
            readonly data: components["schemas"]["LimitedCheckVerificationProblem"];
        };
        /** @description A limit of the phone or of the key was reached. */
        readonly LimitedCheckVerificationProblem: {
            /**
             * @description See `ErrorCode` for what each one means. The list may grow: if you do not know a code, use the HTTP status.
             * @example check_limit_reached
             * @enum {string}
             */
            readonly code: "check_limit_reached" | "rate_limited";
            readonly message: components["schemas"]["ErrorMessage"];
            readonly retry_after: components["schemas"]["RetryAfterSeconds"];
            readonly trace_id: components["schemas"]["TraceId"];
        };
        readonly CheckVerificationByPhoneRequest: {
            readonly phone: components["schemas"]["Phone"];
            /**
             * @description What the user typed, 4 to 10 digits. A string, because it may begin with zero.
             * @example 000000
             */
            readonly code: string;
            readonly receipt?: components["schemas"]["ReceiptRequest"];
        };
        readonly CheckVerificationByPhoneReply: {
            /**
             * @description Always `true`, also when the code did not match.
             * @example true
             */
            readonly success: boolean;
            readonly data: components["schemas"]["CheckByPhoneResult"];
        };
        /** @description The result of the check. `result` says which; `verified` says the same as a boolean. */
        readonly CheckByPhoneResult: components["schemas"]["VerifiedByPhone"] | components["schemas"]["NotVerifiedByPhone"];
        /** @description The code matched. */
        readonly VerifiedByPhone: {
            readonly request_id: components["schemas"]["RequestId"];
            /**
             * @description Always `verified`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly result: "verified";
            /**
             * @description Always `true`.
             * @example true
             */
            readonly verified: boolean;
            /**
             * Format: date-time
             * @description ISO 8601 date and time in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            readonly timestamp: string;
            readonly receipt?: components["schemas"]["Receipt"];
            readonly receipt_unavailable?: components["schemas"]["ReceiptUnavailable"];
        };
        /** @description The code did not match. */
        readonly NotVerifiedByPhone: {
            readonly request_id: components["schemas"]["RequestId"];
            /**
             * @description Always `not_verified`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly result: "not_verified";
            /**
             * @description Always `false`.
             * @example false
             */
            readonly verified: boolean;
            /**
             * Format: date-time
             * @description ISO 8601 date and time in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            readonly timestamp: string;
            /**
             * @description * `incorrect_code`: the code is wrong, and attempts are left.
             *     * `attempts_exhausted`: the code is wrong, and this was the last attempt.
             *
             *     The list may grow. If you do not know a value, `attempts_remaining` says whether another code can be tried.
             * @example incorrect_code
             * @enum {string}
             */
            readonly reason: "incorrect_code" | "attempts_exhausted";
            /**
             * @description The number of attempts left for this request; 0 unless `reason` is `incorrect_code`.
             * @example 4
             */
            readonly attempts_remaining: number;
        };
        /** @description One of them. */
        readonly ConfirmVerificationRequest: {
            readonly request_id?: components["schemas"]["RequestId"];
            readonly phone?: components["schemas"]["Phone"];
        };
        readonly ConfirmVerificationReply: {
            /**
             * @description Always `true`.
             * @example true
             */
            readonly success: boolean;
            readonly data: components["schemas"]["ConfirmedVerification"];
        };
        /** @description The verification. */
        readonly ConfirmedVerification: {
            readonly request_id: components["schemas"]["RequestId"];
            /**
             * @description `true` if it counts as verified from now on; `false` if this request changed nothing, which `reason` explains.
             * @example true
             */
            readonly confirmed: boolean;
            /**
             * Format: date-time
             * @description ISO 8601 date and time in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            readonly timestamp: string;
            /**
             * @description Why it was not confirmed; absent if it was.
             *
             *     * `already_verified`: it was confirmed or checked before.
             *     * `expired`: it expired or was cancelled.
             *     * `superseded`: a newer code was sent to this phone.
             *     * `attempts_exhausted`: it was checked here, and no attempts are left.
             *
             *     The list may grow. If you do not know a value, `confirmed` says whether it counts.
             * @example expired
             * @enum {string}
             */
            readonly reason?: "already_verified" | "expired" | "superseded" | "attempts_exhausted";
        };
        readonly CancelVerificationRequest: {
            readonly request_id: components["schemas"]["RequestId"];
        };
        readonly CancelVerificationReply: {
            /**
             * @description Always `true`.
             * @example true
             */
            readonly success: boolean;
            readonly data: components["schemas"]["CancelledVerification"];
        };
        /** @description The verification. */
        readonly CancelledVerification: {
            readonly request_id: components["schemas"]["RequestId"];
            /**
             * @description `true` if it was pending; `false` if it no longer was.
             * @example true
             */
            readonly cancelled: boolean;
        };
        /** @description The key sends too many requests. */
        readonly RateLimitedError: {
            /**
             * @description Always `false`.
             * @example false
             */
            readonly success: boolean;
            readonly data: components["schemas"]["RateLimitedProblem"];
        };
        /** @description The key sends too many requests. */
        readonly RateLimitedProblem: {
            /**
             * @description See `ErrorCode` for what each one means. The list may grow: if you do not know a code, use the HTTP status.
             * @example rate_limited
             * @enum {string}
             */
            readonly code: "rate_limited";
            readonly message: components["schemas"]["ErrorMessage"];
            readonly retry_after: components["schemas"]["RetryAfterSeconds"];
            readonly trace_id: components["schemas"]["TraceId"];
        };
        /**
         * @description * `queued`: a notification that is accepted and is waiting, also for its `send_at`.
         *     * `sent`: accepted for sending, or handed to a channel. A verification starts here.
         *     * `delivered`: the messaging application reports that it is on the phone.
         *     * `read`: the messaging application reports that it was opened.
         *     * `failed`: failed for good; `getMessage` says why, in `error`. A late `delivered` or `read` still replaces it.
         *     * `expired`: the code's time ended, or the verification was cancelled, before the message was delivered; or no provider
         *       had taken a notification within its `expires_in`, or it was cancelled. A late `delivered` or `read` still replaces it.
         * @example delivered
         * @enum {string}
         */
        readonly MessageStatus: "queued" | "sent" | "delivered" | "read" | "failed" | "expired";
        /**
         * @description * `verification`: the message has a one-time code.
         *     * `notification`: the message was made from a template.
         *
         *     The list may grow. If you do not know a value, use the id of the message: it was in the response to the send.
         * @example verification
         * @enum {string}
         */
        readonly MessageKind: "verification" | "notification";
        /**
         * @description Your own name for a notification, such as the id of an order: letters, digits, `.`, `_`, `:`, `/` and `-`.
         *     Several notifications may have the same one. It is stored and shown unencrypted, so it must not be a phone
         *     number: a value of only 8 to 15 digits is rejected.
         * @example order-1042
         */
        readonly Reference: string;
        readonly ListMessagesReply: {
            /**
             * @description Always `true`.
             * @example true
             */
            readonly success: boolean;
            readonly data: components["schemas"]["MessagePage"];
        };
        /** @description Messages, the newest first, and where the next page begins. */
        readonly MessagePage: {
            /** @description At most `limit` of them. */
            readonly messages: readonly components["schemas"]["ListedMessage"][];
            /**
             * @description The `after` of the next page; null at the end.
             * @example req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6
             */
            readonly next: string | null;
        };
        /** @description A message in the list. */
        readonly ListedMessage: {
            readonly id: components["schemas"]["RequestId"];
            readonly kind: components["schemas"]["MessageKind"];
            readonly status: components["schemas"]["MessageStatus"];
            /**
             * Format: date-time
             * @description When it reached that status. ISO 8601 date and time in UTC, with milliseconds.
             * @example 2026-11-21T09:30:02.118Z
             */
            readonly timestamp: string;
            readonly error?: components["schemas"]["DeliveryError"];
            /**
             * Format: date-time
             * @description When it was created. ISO 8601 date and time in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            readonly created_at: string;
            readonly recipient: components["schemas"]["Recipient"];
            readonly channel: components["schemas"]["ConnectionId"];
            readonly template?: components["schemas"]["MessageTemplate"];
            readonly reference?: components["schemas"]["Reference"];
            /**
             * Format: date-time
             * @description When a notification with `send_at` is sent, or was. ISO 8601 date and time in UTC, with milliseconds.
             * @example 2026-11-28T08:00:00.000Z
             */
            readonly send_at?: string;
            readonly findings?: components["schemas"]["Findings"];
        };
        /**
         * @description Why the message, or an attempt, failed. A message has it if and only if its `status` is `failed`. It may be
         *     absent on an attempt from an earlier version of the service.
         */
        readonly DeliveryError: {
            /**
             * @description * `not_on_channel`: the phone has no account with the messaging application, or its number does not exist.
             *     * `rejected_by_channel`: the messaging application refused the message.
             *     * `channel_unavailable`: the messaging application could not be reached in time, or rejects the operator's
             *       account.
             *     * `not_delivered`: the message was accepted, but not delivered in time, or the service gave up on it.
             *     * `superseded`: a newer code was sent to this phone before a channel accepted this one.
             *     * `opted_out`: the owner of the phone opted out at the provider. The notification is not sent through
             *       another connection, and later ones are refused.
             *     * `unreachable`: the phone is switched off or out of reach.
             *     * `country_blocked`: the operator's account at the provider does not send to this country.
             *     * `send_limit_reached`: when the time of a scheduled notification came, its phone had received too many.
             *     * `budget_spent`: when the time of a scheduled notification came, a budget of the account was spent for that day.
             *
             *     The list may grow. Whatever the value is, the message has failed.
             * @example not_on_channel
             * @enum {string}
             */
            readonly code: "not_on_channel" | "rejected_by_channel" | "channel_unavailable" | "not_delivered" | "superseded" | "opted_out" | "unreachable" | "country_blocked" | "send_limit_reached" | "budget_spent";
            /**
             * @description One sentence for a developer.
             * @example The phone number does not exist, or has no account with the messaging application.
             */
            readonly message: string;
        };
        /**
         * @description Identifies the phone without its number: the same for all messages of the account to it in this mode, so that
         *     you can join them. The number cannot be recovered from it.
         * @example rcp_5d41402abc4b2a76b971
         */
        readonly Recipient: string;
        /**
         * @description The name that the operator gave the channel: 1 to 32 lower-case letters, digits and `-`. With a test key, always
         *     `sandbox`.
         * @example wa-eu
         */
        readonly ConnectionId: string;
        /** @description The template that a notification was made from. A verification has none. */
        readonly MessageTemplate: {
            /**
             * @description The slug of the template at that time.
             * @example welcome
             */
            readonly slug: string;
            /**
             * @description The number of its version: each change of a template creates a new one. Absent for notifications from before
             *     versions were recorded.
             * @example 3
             */
            readonly version?: number;
            /**
             * @description The language that was chosen, as a BCP 47 tag; `und` if the template does not name its language. Absent when
             *     `version` is.
             * @example pt-BR
             */
            readonly locale?: string;
        };
        /**
         * @description What the account's rules against SMS pumping found when it was sent. Absent if they found nothing.
         * @example [
         *       {
         *         "rule": "prefix-hour",
         *         "did": "record"
         *       }
         *     ]
         */
        readonly Findings: readonly components["schemas"]["Finding"][];
        /** @description Which rule matched, and what it did. */
        readonly Finding: {
            /**
             * @description The id of the rule. Messages of earlier versions may have `unjudged`: they were sent before the rules could
             *     be evaluated.
             * @example prefix-hour
             */
            readonly rule: string;
            /**
             * @description * `record`: it let the send pass and recorded it, as does a rule that requires a captcha when one was
             *       solved.
             *     * `challenge`: it required a captcha first.
             *     * `block`: it blocked the send.
             *
             *     The list may grow. Messages that were sent have `record`.
             * @example record
             * @enum {string}
             */
            readonly did: "record" | "challenge" | "block";
        };
        /** @description The path, the query or a header is invalid. */
        readonly InvalidRequestError: {
            /**
             * @description Always `false`.
             * @example false
             */
            readonly success: boolean;
            readonly data: components["schemas"]["InvalidRequestProblem"];
        };
        /** @description The path, the query or a header is invalid. */
        readonly InvalidRequestProblem: {
            /**
             * @description See `ErrorCode` for what each one means. The list may grow: if you do not know a code, use the HTTP status.
             * @example invalid_request
             * @enum {string}
             */
            readonly code: "invalid_request";
            readonly message: components["schemas"]["ErrorMessage"];
            readonly details?: components["schemas"]["ErrorDetails"];
            readonly trace_id: components["schemas"]["TraceId"];
        };
        readonly GetMessageReply: {
            /**
             * @description Always `true`.
             * @example true
             */
            readonly success: boolean;
            readonly data: components["schemas"]["Message"];
        };
        /** @description The message. */
        readonly Message: {
            readonly id: components["schemas"]["RequestId"];
            readonly kind: components["schemas"]["MessageKind"];
            readonly status: components["schemas"]["MessageStatus"];
            /**
             * Format: date-time
             * @description When it reached that status. ISO 8601 date and time in UTC, with milliseconds.
             * @example 2026-11-21T09:30:02.118Z
             */
            readonly timestamp: string;
            readonly error?: components["schemas"]["DeliveryError"];
            /**
             * Format: date-time
             * @description When it was created. ISO 8601 date and time in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description When the code expires; for a notification, when its `expires_in` ends, and absent without one. ISO 8601 date
             *     and time in UTC, with milliseconds.
             * @example 2026-11-21T09:40:00.000Z
             */
            readonly expires_at?: string;
            readonly recipient: components["schemas"]["Recipient"];
            readonly channel: components["schemas"]["ConnectionId"];
            readonly template?: components["schemas"]["MessageTemplate"];
            readonly reference?: components["schemas"]["Reference"];
            /**
             * Format: date-time
             * @description When a notification with `send_at` is sent, or was. ISO 8601 date and time in UTC, with milliseconds.
             * @example 2026-11-28T08:00:00.000Z
             */
            readonly send_at?: string;
            /**
             * @description The id of the failed notification that this one resends. Users resend in the dashboard, and the operator on
             *     the command line.
             * @example req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6
             */
            readonly resend_of?: string;
            /**
             * @description What happened with each channel whose turn has come, in order: if a channel cannot send it, the next one
             *     tries. Empty while it waits.
             */
            readonly attempts: readonly components["schemas"]["Attempt"][];
            /**
             * @description What the providers charge for it in total, one entry for each currency. Absent until a provider reports a
             *     price; many never do.
             */
            readonly prices?: readonly components["schemas"]["Price"][];
            readonly findings?: components["schemas"]["Findings"];
        };
        /** @description What happened to the message on one channel. */
        readonly Attempt: {
            readonly channel: components["schemas"]["ConnectionId"];
            readonly kind?: components["schemas"]["ChannelKind"];
            /**
             * @description * `queued`: the channel is being tried, and retried if necessary.
             *     * `sent`: the channel accepted the message.
             *     * `delivered`: the message is on the phone.
             *     * `read`: the user opened it.
             *     * `failed`: the channel did not deliver the message.
             *     * `expired`: the message expired before the channel accepted it.
             *
             *     The list may grow.
             * @example delivered
             * @enum {string}
             */
            readonly status: "queued" | "sent" | "delivered" | "read" | "failed" | "expired";
            /**
             * Format: date-time
             * @description When it reached that status. ISO 8601 date and time in UTC, with milliseconds.
             * @example 2026-11-21T09:30:02.118Z
             */
            readonly timestamp: string;
            readonly error?: components["schemas"]["DeliveryError"];
            /**
             * @description How many SMS the text took, counted here when the channel took it; providers charge for each. Left out where none was
             *     taken, for a channel that sends no text of yours, such as WhatsApp, and for a message from before this was kept.
             * @example 1
             */
            readonly segments?: number;
            readonly price?: components["schemas"]["Price"];
        };
        /** @description What a provider charges. */
        readonly Price: {
            /**
             * @description A decimal number, as a string to keep its precision.
             * @example 0.0075
             */
            readonly amount: string;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            readonly currency: string;
        };
        /** @description No message of this account and mode has that id. */
        readonly MessageNotFoundError: {
            /**
             * @description Always `false`.
             * @example false
             */
            readonly success: boolean;
            readonly data: components["schemas"]["MessageNotFoundProblem"];
        };
        /** @description No message of this account and mode has that id. */
        readonly MessageNotFoundProblem: {
            /**
             * @description See `ErrorCode` for what each one means. The list may grow: if you do not know a code, use the HTTP status.
             * @example message_not_found
             * @enum {string}
             */
            readonly code: "message_not_found";
            readonly message: components["schemas"]["ErrorMessage"];
            readonly trace_id: components["schemas"]["TraceId"];
        };
        readonly SendNotificationRequest: {
            readonly phone: components["schemas"]["Phone"];
            /**
             * @description The slug of a template of the account, 1 to 64 lower-case letters, digits, `-` and `_`.
             * @example welcome
             */
            readonly template: string;
            /**
             * @description A value for each variable of the template, and no others. Names are `[a-z][a-z0-9_]{0,63}`. The filled text
             *     has at most 4,096 characters; a longer one gets 400 `invalid_variables`, with the detail `too_long` at
             *     `/variables`.
             * @default {}
             * @example {
             *       "name": "Ada"
             *     }
             */
            readonly variables: {
                readonly [key: string]: components["schemas"]["VariableValue"];
            };
            /**
             * @description The language of the template to use: a BCP 47 tag, like `de` or `pt-BR`, as browsers and phones name it;
             *     `pt_BR` and `pt_BR.UTF-8` are accepted as well. If the template does not have that variant, the language
             *     itself is used, or else another variant of it; if it does not have the language, or this names none, its
             *     default language. The response says which one was chosen.
             * @example pt-BR
             */
            readonly locale?: string;
            readonly reference?: components["schemas"]["Reference"];
            /**
             * Format: date-time
             * @description When to send it, at most 30 days ahead, or fewer if the operator keeps messages for less time. It is sent
             *     within a few seconds of that. A time within the last minute means now; an earlier one is rejected.
             * @example 2026-11-28T08:00:00Z
             */
            readonly send_at?: string;
            /**
             * @description Seconds, from `send_at` or from now, for which the notification is worth sending. After that it is no longer
             *     handed to a provider, and ends as `expired`. A provider that has already accepted it still delivers it.
             *     Without this field it does not expire.
             * @example 3600
             */
            readonly expires_in?: number;
            readonly channels?: components["schemas"]["ChannelOrder"];
        };
        /**
         * @description Text of at most 1,024 characters, a number, or a boolean. Numbers and booleans are rendered as in JSON. Numbers
         *     have double precision; send longer ones as text.
         * @example Ada
         */
        readonly VariableValue: string | number | boolean;
        readonly SendNotificationReply: {
            /**
             * @description Always `true`.
             * @example true
             */
            readonly success: boolean;
            readonly data: components["schemas"]["QueuedNotification"];
        };
        /** @description The notification that was accepted. */
        readonly QueuedNotification: {
            readonly request_id: components["schemas"]["RequestId"];
            /**
             * @description Always `queued`; get the message for its current status.
             * @example queued
             * @enum {string}
             */
            readonly status: "queued";
            readonly template?: components["schemas"]["MessageTemplate"];
        };
        /** @description The body or a header is invalid, the phone cannot exist, or the variables do not match the template. */
        readonly InvalidSendNotificationError: {
            /**
             * @description Always `false`.
             * @example false
             */
            readonly success: boolean;
            readonly data: components["schemas"]["InvalidSendNotificationProblem"];
        };
        /** @description The body or a header is invalid, the phone cannot exist, or the variables do not match the template. */
        readonly InvalidSendNotificationProblem: {
            /**
             * @description See `ErrorCode` for what each one means. The list may grow: if you do not know a code, use the HTTP status.
             * @example invalid_json
             * @enum {string}
             */
            readonly code: "invalid_json" | "invalid_request" | "invalid_phone" | "unknown_template" | "invalid_variables";
            readonly message: components["schemas"]["ErrorMessage"];
            readonly details?: components["schemas"]["ErrorDetails"];
            readonly trace_id: components["schemas"]["TraceId"];
        };
        /** @description The key lacks the scope of the operation, nothing may be sent to that phone, or a budget is spent for today. */
        readonly ForbiddenSendError: {
            /**
             * @description Always `false`.
             * @example false
             */
            readonly success: boolean;
            readonly data: components["schemas"]["ForbiddenSendProblem"];
        };
        /** @description The key lacks the scope of the operation, nothing may be sent to that phone, or a budget is spent for today. */
        readonly ForbiddenSendProblem: {
            /**
             * @description See `ErrorCode` for what each one means. The list may grow: if you do not know a code, use the HTTP status.
             * @example insufficient_scope
             * @enum {string}
             */
            readonly code: "insufficient_scope" | "country_not_allowed" | "no_channel" | "budget_spent" | "opted_out";
            readonly message: components["schemas"]["ErrorMessage"];
            readonly details?: components["schemas"]["ErrorDetails"];
            readonly trace_id: components["schemas"]["TraceId"];
        };
        /** @description A limit of the phone or of the key was reached. */
        readonly LimitedSendNotificationError: {
            /**
             * @description Always `false`.
             * @example false
             */
            readonly success: boolean;
            readonly data: components["schemas"]["LimitedSendNotificationProblem"];
        };
        /** @description A limit of the phone or of the key was reached. */
        readonly LimitedSendNotificationProblem: {
            /**
             * @description See `ErrorCode` for what each one means. The list may grow: if you do not know a code, use the HTTP status.
             * @example send_limit_reached
             * @enum {string}
             */
            readonly code: "send_limit_reached" | "rate_limited";
            readonly message: components["schemas"]["ErrorMessage"];
            readonly retry_after: components["schemas"]["RetryAfterSeconds"];
            readonly trace_id: components["schemas"]["TraceId"];
        };
        readonly CancelNotificationRequest: {
            readonly request_id: components["schemas"]["RequestId"];
        };
        readonly CancelNotificationReply: {
            /**
             * @description Always `true`.
             * @example true
             */
            readonly success: boolean;
            readonly data: components["schemas"]["CancelledNotification"];
        };
        /** @description The notification. */
        readonly CancelledNotification: {
            readonly request_id: components["schemas"]["RequestId"];
            /**
             * @description `true` if it was waiting for its `send_at`; `false` if its time had come, or it was already cancelled.
             * @example true
             */
            readonly cancelled: boolean;
            readonly status: components["schemas"]["MessageStatus"];
        };
        readonly PreviewNotificationReply: {
            /**
             * @description Always `true`.
             * @example true
             */
            readonly success: boolean;
            readonly data: components["schemas"]["PreviewedNotification"];
        };
        /** @description What a send would do now. */
        readonly PreviewedNotification: {
            readonly template: components["schemas"]["MessageTemplate"];
            /** @description Why a send would be refused now. Empty if it would be accepted. */
            readonly refusals: readonly components["schemas"]["PreviewedRefusal"][];
            /**
             * @description The channels of the account. First those that can carry it, in the order in which they are tried: each is
             *     tried if those before it could not send it. Then those that cannot. With a test key, only the sandbox.
             */
            readonly channels: readonly components["schemas"]["PreviewedChannel"][];
        };
        /** @description A reason why a send would be refused. */
        readonly PreviewedRefusal: {
            readonly code: components["schemas"]["ErrorCode"];
            readonly message: components["schemas"]["ErrorMessage"];
            readonly details?: components["schemas"]["ErrorDetails"];
            readonly retry_after?: components["schemas"]["RetryAfterSeconds"];
        };
        /**
         * @description The error codes: what each one means, and what to do about it. `x-statuses` gives the HTTP status of each.
         *
         *     The list may grow. If you do not know a code, use the HTTP status: after 429 and 503, wait `retry_after`
         *     seconds; after 500, retry with the same `Idempotency-Key`; after any other status, do not retry the same
         *     request.
         *
         *     * `invalid_json`: the body is not JSON in UTF-8. Fix your client; the same request will fail again.
         *     * `invalid_request`: the body, the path, a parameter or a header breaks this contract. Fix everything that `details`
         *       names.
         *     * `invalid_phone`: the number has the right form but cannot exist, or it charges its caller (premium rate, shared
         *       cost, personal, pager, satellite). Ask the user for another number.
         *     * `unknown_template`: the account has no template with that slug. Check the spelling, or ask for the template to be
         *       added.
         *     * `invalid_variables`: the variables do not match the template, or the filled text has more than 4,096 characters. Fix
         *       what `details` names.
         *     * `missing_api_key`: there is no `Authorization: Bearer <API key>`. Send it with every request.
         *     * `invalid_api_key`: there is no such key. Check whether it was truncated, or belongs to another installation.
         *     * `revoked_api_key`: the key was revoked. Use the new one, or ask for one.
         *     * `expired_api_key`: the key has expired. Use a new one, and next time roll the key before it ends.
         *     * `insufficient_scope`: the key lacks a scope; `message` names it. Use or request a key that has it.
         *     * `country_not_allowed`: the operator does not send to that country. Offer the user another way, or ask the
         *       operator.
         *     * `no_channel`: no connection of the account can send this message: not to that country, or not that template. Ask
         *       the operator.
         *     * `send_blocked`: a rule of the account blocks this send; `details` names it. Nothing was created. Offer the
         *       user another way; if the user is genuine, tell the owner of the account which rule it was.
         *     * `challenge_required`: a rule of the account requires a captcha first; `details` names it. Show one, and retry
         *       with `signals.captcha`.
         *     * `budget_spent`: a budget of the account is spent for today; `details` names it. Nothing was created. Do not
         *       send again before the day is over (UTC); tell the owner of the account.
         *     * `opted_out`: the owner of the phone opted out of notifications. Do not send again; codes are still sent.
         *     * `message_not_found`: no message of this account and mode has that id. Use a key of the mode that sent it.
         *     * `verification_not_found`: no verification of this account and mode has that id, or no code is pending for that
         *       phone. Use a key of the mode that sent it, or send a new code. A code that Watchword generated cannot be
         *       confirmed: check it.
         *     * `template_not_found`: the account has no template with that slug. Check the spelling, or list the templates.
         *     * `route_not_found`: this contract has no such path. Check the base URL, and whether there is a slash at the end.
         *     * `method_not_allowed`: the path does not take this method. Use one from the `Allow` header.
         *     * `idempotency_key_reused`: the `Idempotency-Key` was used with another body before. Use a new key for each
         *       piece of work.
         *     * `idempotency_in_progress`: the first request with this `Idempotency-Key` is still running. Retry in a moment,
         *       with the same key.
         *     * `body_too_large`: the body has more than 16,384 bytes, or that of a template more than 1,048,576. Send a
         *       smaller one.
         *     * `unsupported_media_type`: the body is not plain JSON. Send `Content-Type: application/json`, in UTF-8, not
         *       compressed.
         *     * `resend_cooldown`: a code was sent to this phone less than a minute ago. Let the user wait `retry_after` seconds.
         *     * `send_limit_reached`: this phone received too many messages. Do not send again for `retry_after` seconds.
         *     * `check_limit_reached`: too many wrong codes for this phone. Do not check again for `retry_after` seconds.
         *     * `rate_limited`: this key sends too many requests, or your address sent too many unknown keys and this one is
         *       unknown too. Wait `retry_after` seconds, then send more slowly; if it continues, check the key.
         *     * `internal_error`: the service failed. Retry with the same `Idempotency-Key`; if it fails again, report the
         *       `trace_id`.
         *     * `service_unavailable`: the service is temporarily unavailable. Retry after `retry_after` seconds with the same
         *       `Idempotency-Key`.
         *
         *     `route_not_found` and `method_not_allowed` belong to no operation: they are the errors for a path or a method
         *     that this document does not have. A sandbox returns `route_not_found` with the status 421 for any path if the
         *     `Host` of the request is not its own machine.
         * @example invalid_request
         * @enum {string}
         */
        readonly ErrorCode: "invalid_json" | "invalid_request" | "invalid_phone" | "unknown_template" | "invalid_variables" | "missing_api_key" | "invalid_api_key" | "revoked_api_key" | "expired_api_key" | "insufficient_scope" | "country_not_allowed" | "no_channel" | "send_blocked" | "challenge_required" | "budget_spent" | "opted_out" | "message_not_found" | "verification_not_found" | "template_not_found" | "route_not_found" | "method_not_allowed" | "idempotency_key_reused" | "idempotency_in_progress" | "body_too_large" | "unsupported_media_type" | "resend_cooldown" | "send_limit_reached" | "check_limit_reached" | "rate_limited" | "internal_error" | "service_unavailable";
        /** @description What a channel would send, or why it would not. */
        readonly PreviewedChannel: {
            readonly channel: components["schemas"]["ConnectionId"];
            readonly kind: components["schemas"]["ChannelKind"];
            /**
             * @description `true` if it can carry the notification.
             * @example true
             */
            readonly carries: boolean;
            /**
             * @description Why it cannot, for a developer. Only where `carries` is `false`.
             * @example does not send to this country
             */
            readonly reason?: string;
            /**
             * @description The text that it sends. WhatsApp sends its own text.
             * @example Welcome, Ada!
             */
            readonly text?: string;
            /**
             * @description The encoding of the SMS:
             *
             *     * `gsm7`: up to 160 characters in one SMS.
             *     * `ucs2`: up to 70, because the text has a character that is not in the GSM-7 alphabet.
             *
             *     The list may grow.
             * @example gsm7
             * @enum {string}
             */
            readonly encoding?: "gsm7" | "ucs2";
            /**
             * @description How many SMS the text takes; providers charge for each.
             * @example 1
             */
            readonly segments?: number;
            readonly whatsapp?: components["schemas"]["FilledWhatsappTemplate"];
        };
        /** @description The WhatsApp template that is sent, and its parameters. */
        readonly FilledWhatsappTemplate: {
            /**
             * @description Its name in WhatsApp Manager.
             * @example order_shipped
             */
            readonly name: string;
            /**
             * @description Its language code at WhatsApp.
             * @example en_US
             */
            readonly language: string;
            /** @description Its parameters, in WhatsApp's order. Line breaks and long runs of spaces, which WhatsApp rejects, are replaced with spaces. */
            readonly places: readonly components["schemas"]["FilledPlace"][];
        };
        /** @description A parameter of a WhatsApp template. */
        readonly FilledPlace: {
            /**
             * @description Where it is:
             *
             *     * `header`: above the text.
             *     * `body`: in the text.
             *     * `button`: on a button below.
             *
             *     The list may grow.
             * @example body
             * @enum {string}
             */
            readonly part: "header" | "body" | "button";
            /**
             * @description Its name at WhatsApp, if it has one.
             * @example customer
             */
            readonly name?: string;
            /**
             * @description Its value.
             * @example Ada
             */
            readonly value: string;
        };
        /**
         * @description The slug of a template of the account, 1 to 64 lower-case letters, digits, `-` and `_`.
         * @example welcome
         */
        readonly TemplateSlug: string;
        readonly ListTemplatesReply: {
            /**
             * @description Always `true`.
             * @example true
             */
            readonly success: boolean;
            readonly data: components["schemas"]["TemplatePage"];
        };
        /** @description Templates by their slugs, and where the next page begins. */
        readonly TemplatePage: {
            /** @description At most `limit` of them. */
            readonly templates: readonly components["schemas"]["Template"][];
            /**
             * @description The `after` of the next page; null at the end.
             * @example welcome
             */
            readonly next: string | null;
        };
        /** @description What a notification is made from. */
        readonly Template: {
            readonly slug: components["schemas"]["TemplateSlug"];
            readonly category: components["schemas"]["TemplateCategory"];
            /**
             * @description The number of its version, from 1. Each change of a template creates a new one.
             * @example 1
             */
            readonly version: number;
            /**
             * @description The language of notifications that request no other language of the template. BCP 47; `und` if the template
             *     does not name its language.
             * @example en
             */
            readonly default_locale: string;
            /**
             * @description Its text in each language, at most 50, by BCP 47 tag, including the default one. All have the same variables.
             * @example {
             *       "en": {
             *         "text": "Welcome, {{name}}!"
             *       }
             *     }
             */
            readonly locales: {
                readonly [key: string]: components["schemas"]["TemplateLocale"];
            };
            /** @description Its variables, in the order of the text. A notification sets each of them. */
            readonly variables: readonly components["schemas"]["TemplateVariable"][];
            /**
             * Format: date-time
             * @description When this version was created. ISO 8601 date and time in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            readonly updated_at: string;
        };
        /**
         * @description * `utility`: about something that the recipient did or agreed to, such as an order.
         *     * `marketing`: anything else.
         *
         *     The list may grow.
         * @example utility
         * @enum {string}
         */
        readonly TemplateCategory: "utility" | "marketing";
        /** @description The text of a template in one language. */
        readonly TemplateLocale: {
            /**
             * @description The text, with `{{name}}` in place of each variable.
             * @example Welcome, {{name}}!
             */
            readonly text: string;
            readonly whatsapp?: components["schemas"]["WhatsappTemplate"];
        };
        /**
         * @description The WhatsApp template that is sent in place of the text. Without it, WhatsApp does not carry the template in
         *     this language.
         */
        readonly WhatsappTemplate: {
            /**
             * @description Its name in WhatsApp Manager.
             * @example order_shipped
             */
            readonly name: string;
            /**
             * @description Its language code at WhatsApp.
             * @example en_US
             */
            readonly language: string;
            /**
             * @description The variables that fill `{{1}}`, `{{2}}` and so on of its body, in order.
             * @example [
             *       "name"
             *     ]
             */
            readonly parameters?: readonly string[];
            /**
             * @description In place of `parameters`, if its body has named parameters: the variable that fills each, by the parameter's
             *     name at WhatsApp.
             * @example {
             *       "customer": "name"
             *     }
             */
            readonly body?: {
                readonly [key: string]: string;
            };
            readonly header?: components["schemas"]["WhatsappHeader"];
            /** @description What fills its buttons, in order. A button that has nothing to fill is an empty object. */
            readonly buttons?: readonly components["schemas"]["WhatsappButton"][];
        };
        /** @description What fills the header of a WhatsApp template, with variables as `{{name}}`. It has one of `text`, `image`, `video` and `document`. */
        readonly WhatsappHeader: {
            /**
             * @description A text.
             * @example Order {{order}}
             */
            readonly text?: string;
            /**
             * @description The name of the text's parameter at WhatsApp, if it has one.
             * @example order_number
             */
            readonly parameter?: string;
            /**
             * @description The https URL of an image, or its id at WhatsApp.
             * @example {{photo}}
             */
            readonly image?: string;
            /**
             * @description The https URL of a video, or its id at WhatsApp.
             * @example {{video}}
             */
            readonly video?: string;
            /**
             * @description The https URL of a document, or its id at WhatsApp.
             * @example {{invoice}}
             */
            readonly document?: string;
            /**
             * @description The file name of the document.
             * @example invoice-{{order}}.pdf
             */
            readonly filename?: string;
        };
        /** @description What fills a button of a WhatsApp template, with variables as `{{name}}`. It has one of these, or none. */
        readonly WhatsappButton: {
            /**
             * @description The end of the URL that it opens.
             * @example {{order}}
             */
            readonly url?: string;
            /**
             * @description The payload that it returns when it is pressed.
             * @example order:{{order}}
             */
            readonly quick_reply?: string;
            /**
             * @description The code that it copies.
             * @example {{coupon}}
             */
            readonly copy_code?: string;
        };
        /** @description A variable of a template. */
        readonly TemplateVariable: {
            /**
             * @description Its name in the text and in `variables` of a send.
             * @example name
             */
            readonly name: string;
            /**
             * @description The kinds of channels that can carry the template and need the variable for it.
             * @example [
             *       "sms",
             *       "whatsapp"
             *     ]
             */
            readonly kinds: readonly components["schemas"]["ChannelKind"][];
        };
        readonly GetTemplateReply: {
            /**
             * @description Always `true`.
             * @example true
             */
            readonly success: boolean;
            readonly data: components["schemas"]["Template"];
        };
        /** @description The account has no template with that slug. */
        readonly TemplateNotFoundError: {
            /**
             * @description Always `false`.
             * @example false
             */
            readonly success: boolean;
            readonly data: components["schemas"]["TemplateNotFoundProblem"];
        };
        /** @description The account has no template with that slug. */
        readonly TemplateNotFoundProblem: {
            /**
             * @description See `ErrorCode` for what each one means. The list may grow: if you do not know a code, use the HTTP status.
             * @example template_not_found
             * @enum {string}
             */
            readonly code: "template_not_found";
            readonly message: components["schemas"]["ErrorMessage"];
            readonly trace_id: components["schemas"]["TraceId"];
        };
        /** @description The new version of a template. */
        readonly PutTemplateRequest: {
            readonly category?: components["schemas"]["TemplateCategory"];
            /**
             * @description The language of notifications that request no other language of the template: one of `locales`. BCP 47;
             *     `und` if the template does not name its language.
             * @example en
             */
            readonly default_locale: string;
            /**
             * @description Its text in each language, by BCP 47 tag, including the default one. All have the same variables.
             * @example {
             *       "en": {
             *         "text": "Welcome, {{name}}!"
             *       }
             *     }
             */
            readonly locales: {
                readonly [key: string]: components["schemas"]["NewTemplateLocale"];
            };
        };
        /** @description The text of a template in one language. */
        readonly NewTemplateLocale: {
            /**
             * @description The text, with `{{name}}` in place of each variable.
             * @example Welcome, {{name}}!
             */
            readonly text: string;
            readonly whatsapp?: components["schemas"]["NewWhatsappTemplate"];
        };
        /**
         * @description The WhatsApp template that is sent in place of the text. Without it, WhatsApp does not carry the template in
         *     this language.
         */
        readonly NewWhatsappTemplate: {
            /**
             * @description Its name in WhatsApp Manager.
             * @example order_shipped
             */
            readonly name: string;
            /**
             * @description Its language code at WhatsApp.
             * @example en_US
             */
            readonly language: string;
            /**
             * @description The variables that fill `{{1}}`, `{{2}}` and so on of its body, in order.
             * @example [
             *       "name"
             *     ]
             */
            readonly parameters?: readonly string[];
            /**
             * @description In place of `parameters`, if its body has named parameters: the variable that fills each, by the parameter's
             *     name at WhatsApp.
             * @example {
             *       "customer": "name"
             *     }
             */
            readonly body?: {
                readonly [key: string]: string;
            };
            readonly header?: components["schemas"]["NewWhatsappHeader"];
            /** @description What fills its buttons, in order. A button that has nothing to fill is an empty object. */
            readonly buttons?: readonly components["schemas"]["NewWhatsappButton"][];
        };
        /** @description What fills the header of a WhatsApp template, with variables as `{{name}}`. It has one of `text`, `image`, `video` and `document`. */
        readonly NewWhatsappHeader: {
            /**
             * @description A text.
             * @example Order {{order}}
             */
            readonly text?: string;
            /**
             * @description The name of the text's parameter at WhatsApp, if it has one.
             * @example order_number
             */
            readonly parameter?: string;
            /**
             * @description The https URL of an image, or its id at WhatsApp.
             * @example {{photo}}
             */
            readonly image?: string;
            /**
             * @description The https URL of a video, or its id at WhatsApp.
             * @example {{video}}
             */
            readonly video?: string;
            /**
             * @description The https URL of a document, or its id at WhatsApp.
             * @example {{invoice}}
             */
            readonly document?: string;
            /**
             * @description The file name of the document.
             * @example invoice-{{order}}.pdf
             */
            readonly filename?: string;
        };
        /** @description What fills a button of a WhatsApp template, with variables as `{{name}}`. It has one of these, or none. */
        readonly NewWhatsappButton: {
            /**
             * @description The end of the URL that it opens.
             * @example {{order}}
             */
            readonly url?: string;
            /**
             * @description The payload that it returns when it is pressed.
             * @example order:{{order}}
             */
            readonly quick_reply?: string;
            /**
             * @description The code that it copies.
             * @example {{coupon}}
             */
            readonly copy_code?: string;
        };
        readonly PutTemplateReply: {
            /**
             * @description Always `true`.
             * @example true
             */
            readonly success: boolean;
            readonly data: components["schemas"]["PutTemplateResult"];
        };
        /** @description What the request did. */
        readonly PutTemplateResult: {
            readonly slug: components["schemas"]["TemplateSlug"];
            /**
             * @description The number of the current version.
             * @example 1
             */
            readonly version: number;
            /**
             * @description * `created`: there was no template with that slug.
             *     * `changed`: there was one, and this is its next version.
             *     * `unchanged`: there was one, and it was identical.
             * @example created
             * @enum {string}
             */
            readonly result: "created" | "changed" | "unchanged";
            /**
             * @description Inconspicuous characters that make a text take more SMS, such as a pasted narrow space. The request was accepted anyway.
             * @example []
             */
            readonly warnings: readonly components["schemas"]["TemplateWarning"][];
        };
        /** @description A text that costs more than it seems. */
        readonly TemplateWarning: {
            /**
             * @description Where. A JSON pointer into the body.
             * @example /locales/en/text
             */
            readonly field: string;
            /**
             * @description The character and its cost, for the author of the text.
             * @example has U+202F NARROW NO-BREAK SPACE (line 1, character 31): sent as UCS-2 with it, 2 SMS, and as GSM-7 without, 1 SMS
             */
            readonly message: string;
        };
        readonly DeleteTemplateReply: {
            /**
             * @description Always `true`.
             * @example true
             */
            readonly success: boolean;
            readonly data: components["schemas"]["DeletedTemplate"];
        };
        /** @description What was deleted. */
        readonly DeletedTemplate: {
            readonly slug: components["schemas"]["TemplateSlug"];
            /**
             * @description The number of its last version.
             * @example 2
             */
            readonly version: number;
        };
        readonly AddOptOutRequest: {
            readonly phone: components["schemas"]["Phone"];
            /**
             * @description What the owner of the phone no longer wants.
             *
             *     * `all`: all notifications
             *     * `marketing`: notifications of templates with the category `marketing`
             * @default all
             * @example marketing
             * @enum {string}
             */
            readonly category: "all" | "marketing";
        };
        readonly OptOutReply: {
            /**
             * @description Always `true`.
             * @example true
             */
            readonly success: boolean;
            readonly data: components["schemas"]["OptOut"];
        };
        /** @description Whether a phone gets notifications of this account and mode. */
        readonly OptOut: {
            /**
             * @description `true` if it gets none, or none of the category `marketing`.
             * @example true
             */
            readonly opted_out: boolean;
            readonly category?: components["schemas"]["OptOutCategory"];
            /**
             * @description Where the opt-out of that `category` first came from; only where `opted_out` is `true`.
             *
             *     * `provider`: a provider refused a message for it
             *     * `reply`: the owner of the phone, by a reply like STOP
             *     * `api`: this API, by `addOptOut`
             *     * `operator`: the operator, on the command line
             *     * `person`: a user of the account, in the dashboard
             *     * `import`: an imported list of opt-outs
             *
             *     The list may grow. The value does not affect which notifications stop.
             * @example api
             * @enum {string}
             */
            readonly source?: "provider" | "reply" | "api" | "operator" | "person" | "import";
            /**
             * Format: date-time
             * @description When it opted out. Only where `opted_out` is `true`.
             * @example 2026-11-21T09:30:00.000Z
             */
            readonly since?: string;
        };
        /**
         * @description What the opt-out stops; only where there is one.
         *
         *     * `all`: all notifications
         *     * `marketing`: notifications of templates with the category `marketing`
         *
         *     The list may grow. Treat a value that you do not know as `all`.
         * @example all
         * @enum {string}
         */
        readonly OptOutCategory: "all" | "marketing";
        /** @description The body or a header is invalid, or the phone number cannot exist. */
        readonly InvalidOptOutError: {
            /**
             * @description Always `false`.
             * @example false
             */
            readonly success: boolean;
            readonly data: components["schemas"]["InvalidOptOutProblem"];
        };
        /** @description The body or a header is invalid, or the phone number cannot exist. */
        readonly InvalidOptOutProblem: {
            /**
             * @description See `ErrorCode` for what each one means. The list may grow: if you do not know a code, use the HTTP status.
             * @example invalid_json
             * @enum {string}
             */
            readonly code: "invalid_json" | "invalid_request" | "invalid_phone";
            readonly message: components["schemas"]["ErrorMessage"];
            readonly details?: components["schemas"]["ErrorDetails"];
            readonly trace_id: components["schemas"]["TraceId"];
        };
        readonly RemoveOptOutRequest: {
            readonly phone: components["schemas"]["Phone"];
        };
        readonly FindOptOutRequest: {
            readonly phone: components["schemas"]["Phone"];
        };
        /**
         * @description `evt_` and 26 characters of Crockford's base32: 48 bits of time, then 80 random bits.
         * @example evt_01KAJ0R6W8Z3T5V7X9Y1B2C4D6
         */
        readonly EventId: string;
        /** @description A code was verified. */
        readonly VerificationVerifiedEvent: {
            /**
             * @description Always `verification.verified`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly type: "verification.verified";
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: components["schemas"]["VerificationEventData"];
        };
        /**
         * Format: date-time
         * @description When it happened, the same on every attempt: events can arrive in any order, and this is their real order. ISO
         *     8601 date and time in UTC, with milliseconds.
         * @example 2026-11-21T09:30:02.118Z
         */
        readonly EventTimestamp: string;
        /** @description The verification. `status` is the status of its message. */
        readonly VerificationEventData: {
            readonly request_id: components["schemas"]["RequestId"];
            /**
             * @description Always `verification`.
             * @example verification
             * @enum {string}
             */
            readonly kind: "verification";
            readonly status: components["schemas"]["MessageStatus"];
            readonly mode: components["schemas"]["Mode"];
        };
        /**
         * @description * `live`: from a live key, meant for a phone.
         *     * `test`: from a test key, never sent.
         * @example live
         * @enum {string}
         */
        readonly Mode: "live" | "test";
        /** @description A verification failed. */
        readonly VerificationFailedEvent: {
            /**
             * @description Always `verification.failed`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly type: "verification.failed";
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: components["schemas"]["VerificationFailedEventData"];
        };
        /** @description The verification, and why it failed. `status` is the status of its message. */
        readonly VerificationFailedEventData: {
            readonly request_id: components["schemas"]["RequestId"];
            /**
             * @description Always `verification`.
             * @example verification
             * @enum {string}
             */
            readonly kind: "verification";
            readonly status: components["schemas"]["MessageStatus"];
            readonly mode: components["schemas"]["Mode"];
            /**
             * @description * `attempts_exhausted`: all attempts were used for wrong codes.
             *     * `not_delivered`: its message failed for good.
             *
             *     The list may grow. Whatever the value is, the verification has failed.
             * @example attempts_exhausted
             * @enum {string}
             */
            readonly reason: "attempts_exhausted" | "not_delivered";
        };
        /** @description A verification expired. */
        readonly VerificationExpiredEvent: {
            /**
             * @description Always `verification.expired`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly type: "verification.expired";
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: components["schemas"]["VerificationEventData"];
        };
        /** @description A rule refused to send a code. */
        readonly VerificationBlockedEvent: {
            /**
             * @description Always `verification.blocked`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly type: "verification.blocked";
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: components["schemas"]["VerificationBlockedEventData"];
        };
        /** @description What the rules did. Nothing was created. */
        readonly VerificationBlockedEventData: {
            /**
             * @description Always `verification`.
             * @example verification
             * @enum {string}
             */
            readonly kind: "verification";
            readonly mode: components["schemas"]["Mode"];
            /**
             * @description * `block`: the send was blocked.
             *     * `challenge`: a captcha was required first.
             *
             *     The list may grow. Whatever the value is, nothing was sent.
             * @example block
             * @enum {string}
             */
            readonly action: "block" | "challenge";
            /**
             * @description The ids of the rules that did so.
             * @example [
             *       "prefix-hour"
             *     ]
             */
            readonly rules: readonly string[];
        };
        /** @description A budget reached 80 % or 100 %. */
        readonly BudgetReachedEvent: {
            /**
             * @description Always `budget.reached`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly type: "budget.reached";
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: components["schemas"]["BudgetReachedEventData"];
        };
        /** @description The budget, and how much of it is used. */
        readonly BudgetReachedEventData: {
            readonly mode: components["schemas"]["Mode"];
            /**
             * @description The id of the budget.
             * @example all
             */
            readonly budget: string;
            /**
             * @description How many percent of the budget are used: 80, or 100 if it is spent. A minor version may add other values.
             * @example 80
             */
            readonly percent: number;
        };
        /** @description A message was sent. */
        readonly MessageSentEvent: {
            /**
             * @description Always `message.sent`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly type: "message.sent";
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: components["schemas"]["MessageEventData"];
        };
        /** @description The message, and the channel that sent it. */
        readonly MessageEventData: {
            readonly request_id: components["schemas"]["RequestId"];
            readonly kind: components["schemas"]["MessageKind"];
            readonly status: components["schemas"]["MessageStatus"];
            readonly mode: components["schemas"]["Mode"];
            readonly channel: components["schemas"]["ConnectionId"];
            readonly recipient?: components["schemas"]["Recipient"];
            readonly template?: components["schemas"]["MessageTemplate"];
            readonly reference?: components["schemas"]["Reference"];
        };
        /** @description A message was delivered. */
        readonly MessageDeliveredEvent: {
            /**
             * @description Always `message.delivered`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly type: "message.delivered";
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: components["schemas"]["MessageEventData"];
        };
        /** @description A message was read. */
        readonly MessageReadEvent: {
            /**
             * @description Always `message.read`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly type: "message.read";
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: components["schemas"]["MessageEventData"];
        };
        /** @description A message failed. */
        readonly MessageFailedEvent: {
            /**
             * @description Always `message.failed`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly type: "message.failed";
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: components["schemas"]["MessageFailedEventData"];
        };
        /**
         * @description The message, and why it failed. `channel` is absent if no channel could be tried, if the service gave up on the
         *     message, or if a newer code replaced it.
         */
        readonly MessageFailedEventData: {
            readonly request_id: components["schemas"]["RequestId"];
            readonly kind: components["schemas"]["MessageKind"];
            readonly status: components["schemas"]["MessageStatus"];
            readonly mode: components["schemas"]["Mode"];
            readonly channel?: components["schemas"]["ConnectionId"];
            readonly recipient?: components["schemas"]["Recipient"];
            readonly template?: components["schemas"]["MessageTemplate"];
            readonly reference?: components["schemas"]["Reference"];
            readonly error: components["schemas"]["DeliveryError"];
        };
        /** @description A phone opted out. */
        readonly PhoneOptedOutEvent: {
            /**
             * @description Always `phone.opted_out`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly type: "phone.opted_out";
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: components["schemas"]["PhoneEventData"];
        };
        /** @description The phone, by its `recipient`, what it opted out of, and where that came from. */
        readonly PhoneEventData: {
            readonly recipient: components["schemas"]["Recipient"];
            readonly category: components["schemas"]["OptOutCategory"];
            /**
             * @description Where the opt-out, or its removal, came from.
             *
             *     * `provider`: a provider refused a message for it
             *     * `reply`: the owner of the phone, by a reply like STOP
             *     * `api`: this API
             *     * `operator`: the operator, on the command line
             *     * `person`: a user of the account, in the dashboard
             *     * `import`: an imported list of opt-outs
             *
             *     The list may grow.
             * @example reply
             * @enum {string}
             */
            readonly source: "provider" | "reply" | "api" | "operator" | "person" | "import";
            readonly mode: components["schemas"]["Mode"];
        };
        /** @description A phone opted in again. */
        readonly PhoneOptedInEvent: {
            /**
             * @description Always `phone.opted_in`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly type: "phone.opted_in";
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: components["schemas"]["PhoneEventData"];
        };
        /** @description A template cannot be sent through a channel. */
        readonly TemplateUnusableEvent: {
            /**
             * @description Always `template.unusable`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly type: "template.unusable";
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: components["schemas"]["TemplateUnusableEventData"];
        };
        /** @description The template in one language, the channel, the provider's own template, and what is wrong with it. */
        readonly TemplateUnusableEventData: {
            readonly template: components["schemas"]["TemplateInLanguage"];
            /**
             * @description The id of the channel.
             * @example wa-eu
             */
            readonly channel: string;
            readonly provider_template: components["schemas"]["ProviderTemplate"];
            /**
             * @description What is wrong.
             *
             *     * `paused`: the provider has paused it
             *     * `disabled`: the provider has disabled it
             *     * `rejected`: the provider has rejected it
             *     * `missing`: the provider no longer has it
             *     * `category_changed`: the provider no longer counts it as `utility`
             *     * `places_changed`: it has other places to fill than the template of the account fills
             *
             *     The list may grow.
             * @example paused
             * @enum {string}
             */
            readonly reason: "paused" | "disabled" | "rejected" | "missing" | "category_changed" | "places_changed";
            readonly mode: components["schemas"]["Mode"];
        };
        /** @description A template of the account, in one of its languages. */
        readonly TemplateInLanguage: {
            /**
             * @description The `template` of `sendNotification`.
             * @example order-shipped
             */
            readonly slug: string;
            /**
             * @description The language, BCP 47; `und` where the template does not say it.
             * @example en
             */
            readonly locale: string;
        };
        /** @description A template at the provider. */
        readonly ProviderTemplate: {
            /**
             * @description Its name there.
             * @example order_shipped
             */
            readonly name: string;
            /**
             * @description Its language, as the provider writes it.
             * @example en_US
             */
            readonly language: string;
        };
        /** @description An endpoint was disabled. */
        readonly EndpointDisabledEvent: {
            /**
             * @description Always `endpoint.disabled`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly type: "endpoint.disabled";
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: components["schemas"]["EndpointDisabledEventData"];
        };
        /** @description The endpoint that was disabled, and why. */
        readonly EndpointDisabledEventData: {
            /**
             * @description The endpoint's id, as the operator knows it. `ep_` and 26 characters of Crockford's base32, upper case.
             * @example ep_01KAJ0R6W8Z3T5V7X9Y1B2C4D6
             */
            readonly endpoint_id: string;
            /**
             * @description * `failing`: it accepted nothing for five days, in ten attempts or more.
             *     * `gone`: it returned 410.
             *
             *     The list may grow. Whatever the value is, the endpoint is disabled.
             * @example failing
             * @enum {string}
             */
            readonly reason: "failing" | "gone";
            readonly mode: components["schemas"]["Mode"];
        };
        /** @description Every response that is not a success, including unknown routes and crashes. */
        readonly ErrorResponse: {
            /**
             * @description Always `false`.
             * @example false
             */
            readonly success: boolean;
            readonly data: components["schemas"]["Problem"];
        };
        /**
         * @description What went wrong, in the form of every error. Each status of an operation has its own schema, with the list of
         *     its codes.
         */
        readonly Problem: {
            readonly code: components["schemas"]["ErrorCode"];
            readonly message: components["schemas"]["ErrorMessage"];
            readonly details?: components["schemas"]["ErrorDetails"];
            readonly retry_after?: components["schemas"]["RetryAfterSeconds"];
            readonly trace_id: components["schemas"]["TraceId"];
        };
        /**
         * @description What an endpoint receives: any event; `type` says which. Expect types and fields that you do not know: return
         *     2xx, and ignore them.
         */
        readonly WebhookEvent: components["schemas"]["VerificationVerifiedEvent"] | components["schemas"]["VerificationFailedEvent"] | components["schemas"]["VerificationExpiredEvent"] | components["schemas"]["VerificationBlockedEvent"] | components["schemas"]["BudgetReachedEvent"] | components["schemas"]["MessageSentEvent"] | components["schemas"]["MessageDeliveredEvent"] | components["schemas"]["MessageReadEvent"] | components["schemas"]["MessageFailedEvent"] | components["schemas"]["PhoneOptedOutEvent"] | components["schemas"]["PhoneOptedInEvent"] | components["schemas"]["TemplateUnusableEvent"] | components["schemas"]["EndpointDisabledEvent"];
    };
    responses: {
        /** @description The API key is missing or not valid. */
        readonly Unauthorized: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                readonly "WWW-Authenticate": components["headers"]["WwwAuthenticateHeader"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["UnauthorizedError"];
            };
        };
        /** @description The `Idempotency-Key` was used for other work, or the same work is still running. */
        readonly IdempotencyConflict: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["IdempotencyConflictError"];
            };
        };
        /** @description The body is over 16,384 bytes. */
        readonly BodyTooLarge: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["BodyTooLargeError"];
            };
        };
        /** @description The body is not sent as plain `application/json` in UTF-8. */
        readonly UnsupportedMediaType: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["UnsupportedMediaTypeError"];
            };
        };
        /** @description The service failed. The work may or may not have been done; retry with the same `Idempotency-Key`. */
        readonly InternalError: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["InternalErrorError"];
            };
        };
        /**
         * @description The database is unreachable, the service is overloaded (for example, by too many lists at once), or the process
         *     is stopping. Try again.
         */
        readonly ServiceUnavailable: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ServiceUnavailableError"];
            };
        };
        /** @description The account has no template with that slug. */
        readonly TemplateNotFound: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["TemplateNotFoundError"];
            };
        };
        /** @description The body or a header is invalid, or the phone number cannot exist. */
        readonly InvalidOptOut: {
            headers: {
                readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["InvalidOptOutError"];
            };
        };
        /** @description Gone. The receiver no longer wants events, and the endpoint is disabled at once. */
        readonly EndpointGone: {
            headers: {
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /**
         * @description Any 2xx within 15 seconds: the event was accepted, and is not sent again. The operator may see the first 2 KiB
         *     of the body.
         */
        readonly EventTaken: {
            headers: {
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /**
         * @description Anything else, including a redirect or no response within 15 seconds: the event is sent again, at most nine
         *     times, over about three days. `Retry-After` is respected within limits. An endpoint that accepts nothing for
         *     five days, in ten attempts or more, is disabled.
         */
        readonly EventNotTaken: {
            headers: {
                readonly [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /**
         * @description 1 to 255 visible ASCII characters that you choose; use a random value for each piece of work. It is kept for 24
         *     hours, for this account, mode and operation. The same key with another body gets 409; bodies are compared byte
         *     for byte.
         * @example 0f1c6a52-6c1e-4d7f-9d0e-3b7a8f0e2b11
         */
        readonly IdempotencyKey: string;
        /**
         * @description The event's id, the same on every attempt and on a replay: store it to recognize duplicates. `evt_` and 26
         *     characters of Crockford's base32, upper case.
         * @example evt_01KAJ0R6W8Z3T5V7X9Y1B2C4D6
         */
        readonly WebhookId: components["schemas"]["EventId"];
        /**
         * @description The time of this attempt, in seconds since 1970-01-01 in UTC. Reject a time that differs from your clock by more
         *     than five minutes.
         * @example 1795253402
         */
        readonly WebhookTimestamp: number;
        /**
         * @description `v1,` and the base64 of an HMAC-SHA-256 over `<webhook-id>.<webhook-timestamp>.<body>`, with the body byte for
         *     byte as received. The key is the part of the endpoint's secret after `whsec_`, decoded from base64. While a
         *     secret is rotated, there are two signatures, separated by a space: one match is enough. Compare in constant
         *     time.
         * @example v1,CDVpu0EQMCmKUmqiUF4Z6yEcgPT/XARsLBdGNduIvLc=
         */
        readonly WebhookSignature: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The id of this request in the service's log: 32 lower-case hexadecimal digits.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        readonly TraceIdHeader: components["schemas"]["TraceId"];
        /**
         * @description `true` if this is the stored response to an earlier request with the same `Idempotency-Key`; otherwise absent.
         * @example true
         */
        readonly IdempotentReplayedHeader: "true";
        /**
         * @description The scheme to use.
         * @example Bearer
         */
        readonly WwwAuthenticateHeader: "Bearer";
        /**
         * @description Seconds until the same request can succeed, if nothing else happens in between; the same number as
         *     `retry_after`.
         * @example 42
         */
        readonly RetryAfterHeader: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly sendVerification: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description 1 to 255 visible ASCII characters that you choose; use a random value for each piece of work. It is kept for 24
                 *     hours, for this account, mode and operation. The same key with another body gets 409; bodies are compared byte
                 *     for byte.
                 * @example 0f1c6a52-6c1e-4d7f-9d0e-3b7a8f0e2b11
                 */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The phone, and what the code should look like. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SendVerificationRequest"];
            };
        };
        readonly responses: {
            /** @description The code was generated, and its message was accepted for sending. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SendVerificationReply"];
                };
            };
            /** @description The body or a header is invalid, or the phone number cannot exist. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidSendVerificationError"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /**
             * @description The key lacks the scope `verify:write` or, for a `code` of your own, `verify:custom_code`; the phone's
             *     country is not on the operator's list; no connection of the account can send the code; a rule of the account
             *     blocks the request or requires a captcha; or a budget of the account is spent for today.
             */
            readonly 403: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenVerificationError"];
                };
            };
            readonly 409: components["responses"]["IdempotencyConflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description A limit was reached. Nothing was sent, created or counted. */
            readonly 429: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LimitedSendVerificationError"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly checkVerification: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description 1 to 255 visible ASCII characters that you choose; use a random value for each piece of work. It is kept for 24
                 *     hours, for this account, mode and operation. The same key with another body gets 409; bodies are compared byte
                 *     for byte.
                 * @example 0f1c6a52-6c1e-4d7f-9d0e-3b7a8f0e2b11
                 */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The request that sent the code, and what the user typed. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CheckVerificationRequest"];
            };
        };
        readonly responses: {
            /** @description The code was compared, or there is nothing left to compare it with. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CheckVerificationReply"];
                };
            };
            /** @description The body or a header is invalid. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidBodyError"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description The key lacks the scope `verify:write`. */
            readonly 403: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description No verification of this account and mode has that id. */
            readonly 404: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VerificationNotFoundError"];
                };
            };
            readonly 409: components["responses"]["IdempotencyConflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description A limit was reached. The code was not compared and no attempt was counted. */
            readonly 429: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LimitedCheckVerificationError"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly checkVerificationByPhone: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description 1 to 255 visible ASCII characters that you choose; use a random value for each piece of work. It is kept for 24
                 *     hours, for this account, mode and operation. The same key with another body gets 409; bodies are compared byte
                 *     for byte.
                 * @example 0f1c6a52-6c1e-4d7f-9d0e-3b7a8f0e2b11
                 */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The phone, and what the user typed. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CheckVerificationByPhoneRequest"];
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
                    readonly "application/json": components["schemas"]["CheckVerificationByPhoneReply"];
                };
            };
            /** @description The body or a header is invalid. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidBodyError"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description The key lacks the scope `verify:write`. */
            readonly 403: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description No code is pending for this phone in this account and mode. */
            readonly 404: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VerificationNotFoundError"];
                };
            };
            readonly 409: components["responses"]["IdempotencyConflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description A limit was reached. The code was not compared and no attempt was counted. */
            readonly 429: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LimitedCheckVerificationError"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly confirmVerification: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description 1 to 255 visible ASCII characters that you choose; use a random value for each piece of work. It is kept for 24
                 *     hours, for this account, mode and operation. The same key with another body gets 409; bodies are compared byte
                 *     for byte.
                 * @example 0f1c6a52-6c1e-4d7f-9d0e-3b7a8f0e2b11
                 */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The request that sent the code, or the phone that it was sent to. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ConfirmVerificationRequest"];
            };
        };
        readonly responses: {
            /** @description The result for the verification. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ConfirmVerificationReply"];
                };
            };
            /** @description The body or a header is invalid. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidBodyError"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description The key lacks the scope `verify:write`. */
            readonly 403: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InsufficientScopeError"];
                };
            };
            /**
             * @description This account and mode has no code with that id, or recently sent to that phone, that you or your auth system
             *     generated.
             */
            readonly 404: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VerificationNotFoundError"];
                };
            };
            readonly 409: components["responses"]["IdempotencyConflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description A limit was reached. Nothing was confirmed. */
            readonly 429: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LimitedCheckVerificationError"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly cancelVerification: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description 1 to 255 visible ASCII characters that you choose; use a random value for each piece of work. It is kept for 24
                 *     hours, for this account, mode and operation. The same key with another body gets 409; bodies are compared byte
                 *     for byte.
                 * @example 0f1c6a52-6c1e-4d7f-9d0e-3b7a8f0e2b11
                 */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The request that sent the code. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CancelVerificationRequest"];
            };
        };
        readonly responses: {
            /** @description The verification is no longer pending. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CancelVerificationReply"];
                };
            };
            /** @description The body or a header is invalid. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidBodyError"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description The key lacks the scope `verify:write`. */
            readonly 403: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description No verification of this account and mode has that id. */
            readonly 404: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VerificationNotFoundError"];
                };
            };
            readonly 409: components["responses"]["IdempotencyConflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description The key sent too many requests. Nothing was cancelled. */
            readonly 429: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RateLimitedError"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listMessages: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description Only messages to this phone, in E.164 form. Write the plus sign as `%2B`.
                 * @example +14155550100
                 */
                readonly phone?: components["schemas"]["Phone"];
                /**
                 * @description Only messages that currently have this status.
                 * @example delivered
                 */
                readonly status?: components["schemas"]["MessageStatus"];
                /**
                 * @description Only messages of this kind.
                 * @example verification
                 */
                readonly kind?: components["schemas"]["MessageKind"];
                /**
                 * @description Only notifications that were sent with exactly this reference.
                 * @example order-1042
                 */
                readonly reference?: components["schemas"]["Reference"];
                /**
                 * @description The maximum number of messages on a page.
                 * @example 20
                 */
                readonly limit: number;
                /**
                 * @description The `next` of the previous page. Keep the other parameters the same.
                 * @example req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6
                 */
                readonly after?: components["schemas"]["RequestId"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of messages. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ListMessagesReply"];
                };
            };
            /** @description A parameter is invalid, repeated or unknown. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidRequestError"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description The key lacks the scope `messages:read`. */
            readonly 403: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description The key sent too many requests. Nothing was read. */
            readonly 429: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RateLimitedError"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly getMessage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The `request_id` from the response to your send. `req_` and 26 characters of Crockford's base32, upper case.
                 * @example req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6
                 */
                readonly id: components["schemas"]["RequestId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The message in its current state. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["GetMessageReply"];
                };
            };
            /** @description The id is malformed. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidRequestError"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description The key lacks the scope `messages:read`. */
            readonly 403: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description No message of this account and mode has that id. */
            readonly 404: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MessageNotFoundError"];
                };
            };
            /** @description The key sent too many requests. Nothing was read. */
            readonly 429: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RateLimitedError"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly sendNotification: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description 1 to 255 visible ASCII characters that you choose; use a random value for each piece of work. It is kept for 24
                 *     hours, for this account, mode and operation. The same key with another body gets 409; bodies are compared byte
                 *     for byte.
                 * @example 0f1c6a52-6c1e-4d7f-9d0e-3b7a8f0e2b11
                 */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The phone, the template and its variables. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SendNotificationRequest"];
            };
        };
        readonly responses: {
            /** @description The message was accepted and is waiting to be sent. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SendNotificationReply"];
                };
            };
            /** @description The body or a header is invalid, the phone cannot exist, or the variables do not match the template. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidSendNotificationError"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /**
             * @description The key lacks the scope `notifications:write`, the phone's country is not on the operator's list, no connection of
             *     the account can send the template, a budget of the account is spent for today, or the owner of the phone has opted
             *     out.
             */
            readonly 403: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenSendError"];
                };
            };
            readonly 409: components["responses"]["IdempotencyConflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description A limit was reached. Nothing was sent, created or counted. */
            readonly 429: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LimitedSendNotificationError"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly cancelNotification: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description 1 to 255 visible ASCII characters that you choose; use a random value for each piece of work. It is kept for 24
                 *     hours, for this account, mode and operation. The same key with another body gets 409; bodies are compared byte
                 *     for byte.
                 * @example 0f1c6a52-6c1e-4d7f-9d0e-3b7a8f0e2b11
                 */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The request that sent the notification. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CancelNotificationRequest"];
            };
        };
        readonly responses: {
            /** @description The notification is cancelled, or its time has come. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CancelNotificationReply"];
                };
            };
            /** @description The body or a header is invalid. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidBodyError"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description The key lacks the scope `notifications:write`. */
            readonly 403: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description No notification of this account and mode has that id. */
            readonly 404: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MessageNotFoundError"];
                };
            };
            readonly 409: components["responses"]["IdempotencyConflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description The key sent too many requests. Nothing was cancelled. */
            readonly 429: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RateLimitedError"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly previewNotification: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description 1 to 255 visible ASCII characters that you choose; use a random value for each piece of work. It is kept for 24
                 *     hours, for this account, mode and operation. The same key with another body gets 409; bodies are compared byte
                 *     for byte.
                 * @example 0f1c6a52-6c1e-4d7f-9d0e-3b7a8f0e2b11
                 */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description As for a send. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SendNotificationRequest"];
            };
        };
        readonly responses: {
            /** @description What a send would do. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PreviewNotificationReply"];
                };
            };
            /** @description The body or a header is invalid, the phone cannot exist, or the variables do not match the template. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidSendNotificationError"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description The key lacks the scope `notifications:write`. */
            readonly 403: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InsufficientScopeError"];
                };
            };
            readonly 409: components["responses"]["IdempotencyConflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description The key sent too many requests. Nothing was previewed. */
            readonly 429: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RateLimitedError"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listTemplates: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description The maximum number of templates on a page.
                 * @example 20
                 */
                readonly limit: number;
                /**
                 * @description The `next` of the previous page.
                 * @example welcome
                 */
                readonly after?: components["schemas"]["TemplateSlug"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of templates. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ListTemplatesReply"];
                };
            };
            /** @description A parameter is invalid, repeated or unknown. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidRequestError"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description The key lacks the scope `templates:read`. */
            readonly 403: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description The key sent too many requests. Nothing was read. */
            readonly 429: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RateLimitedError"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly getTemplate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The slug of the template.
                 * @example welcome
                 */
                readonly slug: components["schemas"]["TemplateSlug"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The current version of the template. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["GetTemplateReply"];
                };
            };
            /** @description The slug is malformed. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidRequestError"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description The key lacks the scope `templates:read`. */
            readonly 403: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InsufficientScopeError"];
                };
            };
            readonly 404: components["responses"]["TemplateNotFound"];
            /** @description The key sent too many requests. Nothing was read. */
            readonly 429: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RateLimitedError"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly putTemplate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The slug of the template.
                 * @example order-shipped
                 */
                readonly slug: components["schemas"]["TemplateSlug"];
            };
            readonly cookie?: never;
        };
        /** @description The whole template, at most 1,048,576 bytes. A language that is left out is removed. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PutTemplateRequest"];
            };
        };
        readonly responses: {
            /** @description The template now is what the body says. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PutTemplateReply"];
                };
            };
            /**
             * @description The slug or the body is invalid, or the languages do not match one another; `details` names each error.
             *     Nothing was changed.
             */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidBodyError"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description The key lacks the scope `templates:write`. */
            readonly 403: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description The body is over 1,048,576 bytes. */
            readonly 413: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description The key sent too many requests. Nothing was done. */
            readonly 429: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RateLimitedError"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly deleteTemplate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The slug of the template.
                 * @example order-shipped
                 */
                readonly slug: components["schemas"]["TemplateSlug"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The account no longer has the template. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DeleteTemplateReply"];
                };
            };
            /** @description The slug is malformed. */
            readonly 400: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidRequestError"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description The key lacks the scope `templates:write`. */
            readonly 403: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InsufficientScopeError"];
                };
            };
            readonly 404: components["responses"]["TemplateNotFound"];
            /** @description The key sent too many requests. Nothing was done. */
            readonly 429: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RateLimitedError"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly addOptOut: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description 1 to 255 visible ASCII characters that you choose; use a random value for each piece of work. It is kept for 24
                 *     hours, for this account, mode and operation. The same key with another body gets 409; bodies are compared byte
                 *     for byte.
                 * @example 0f1c6a52-6c1e-4d7f-9d0e-3b7a8f0e2b11
                 */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The phone whose owner does not want notifications. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AddOptOutRequest"];
            };
        };
        readonly responses: {
            /** @description The phone gets no notifications. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OptOutReply"];
                };
            };
            readonly 400: components["responses"]["InvalidOptOut"];
            readonly 401: components["responses"]["Unauthorized"];
            /** @description The key lacks the scope `opt_outs:write`. */
            readonly 403: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InsufficientScopeError"];
                };
            };
            readonly 409: components["responses"]["IdempotencyConflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description The key sent too many requests. Nothing was done. */
            readonly 429: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RateLimitedError"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly removeOptOut: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description 1 to 255 visible ASCII characters that you choose; use a random value for each piece of work. It is kept for 24
                 *     hours, for this account, mode and operation. The same key with another body gets 409; bodies are compared byte
                 *     for byte.
                 * @example 0f1c6a52-6c1e-4d7f-9d0e-3b7a8f0e2b11
                 */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The phone whose owner wants notifications again. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RemoveOptOutRequest"];
            };
        };
        readonly responses: {
            /** @description The phone gets notifications. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OptOutReply"];
                };
            };
            readonly 400: components["responses"]["InvalidOptOut"];
            readonly 401: components["responses"]["Unauthorized"];
            /** @description The key lacks the scope `opt_outs:write`. */
            readonly 403: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InsufficientScopeError"];
                };
            };
            readonly 409: components["responses"]["IdempotencyConflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description The key sent too many requests. Nothing was done. */
            readonly 429: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RateLimitedError"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly findOptOut: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description 1 to 255 visible ASCII characters that you choose; use a random value for each piece of work. It is kept for 24
                 *     hours, for this account, mode and operation. The same key with another body gets 409; bodies are compared byte
                 *     for byte.
                 * @example 0f1c6a52-6c1e-4d7f-9d0e-3b7a8f0e2b11
                 */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The phone. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["FindOptOutRequest"];
            };
        };
        readonly responses: {
            /** @description Whether the phone has opted out. */
            readonly 200: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Idempotent-Replayed": components["headers"]["IdempotentReplayedHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OptOutReply"];
                };
            };
            readonly 400: components["responses"]["InvalidOptOut"];
            readonly 401: components["responses"]["Unauthorized"];
            /** @description The key lacks the scope `opt_outs:read`. */
            readonly 403: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InsufficientScopeError"];
                };
            };
            readonly 409: components["responses"]["IdempotencyConflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description The key sent too many requests. Nothing was done. */
            readonly 429: {
                headers: {
                    readonly "X-Trace-Id": components["headers"]["TraceIdHeader"];
                    readonly "Retry-After": components["headers"]["RetryAfterHeader"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RateLimitedError"];
                };
            };
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
}
