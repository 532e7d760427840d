// Made from openapi.yaml by `npm run generate`. Do not edit.
var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

// node_modules/ajv/dist/runtime/ucs2length.js
var require_ucs2length = __commonJS({
  "node_modules/ajv/dist/runtime/ucs2length.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    function ucs2length(str) {
      const len = str.length;
      let length = 0;
      let pos = 0;
      let value;
      while (pos < len) {
        length++;
        value = str.charCodeAt(pos++);
        if (value >= 55296 && value <= 56319 && pos < len) {
          value = str.charCodeAt(pos);
          if ((value & 64512) === 56320)
            pos++;
        }
      }
      return length;
    }
    exports.default = ucs2length;
    ucs2length.code = 'require("ajv/dist/runtime/ucs2length").default';
  }
});

// node_modules/ajv-formats/dist/formats.js
var require_formats = __commonJS({
  "node_modules/ajv-formats/dist/formats.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    exports.formatNames = exports.fastFormats = exports.fullFormats = void 0;
    function fmtDef(validate, compare) {
      return { validate, compare };
    }
    exports.fullFormats = {
      // date: http://tools.ietf.org/html/rfc3339#section-5.6
      date: fmtDef(date, compareDate),
      // date-time: http://tools.ietf.org/html/rfc3339#section-5.6
      time: fmtDef(getTime(true), compareTime),
      "date-time": fmtDef(getDateTime(true), compareDateTime),
      "iso-time": fmtDef(getTime(), compareIsoTime),
      "iso-date-time": fmtDef(getDateTime(), compareIsoDateTime),
      // duration: https://tools.ietf.org/html/rfc3339#appendix-A
      duration: /^P(?!$)((\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?|(\d+W)?)$/,
      uri,
      "uri-reference": /^(?:[a-z][a-z0-9+\-.]*:)?(?:\/?\/(?:(?:[a-z0-9\-._~!$&'()*+,;=:]|%[0-9a-f]{2})*@)?(?:\[(?:(?:(?:(?:[0-9a-f]{1,4}:){6}|::(?:[0-9a-f]{1,4}:){5}|(?:[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){4}|(?:(?:[0-9a-f]{1,4}:){0,1}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){3}|(?:(?:[0-9a-f]{1,4}:){0,2}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){2}|(?:(?:[0-9a-f]{1,4}:){0,3}[0-9a-f]{1,4})?::[0-9a-f]{1,4}:|(?:(?:[0-9a-f]{1,4}:){0,4}[0-9a-f]{1,4})?::)(?:[0-9a-f]{1,4}:[0-9a-f]{1,4}|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?))|(?:(?:[0-9a-f]{1,4}:){0,5}[0-9a-f]{1,4})?::[0-9a-f]{1,4}|(?:(?:[0-9a-f]{1,4}:){0,6}[0-9a-f]{1,4})?::)|[Vv][0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+)\]|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?)|(?:[a-z0-9\-._~!$&'"()*+,;=]|%[0-9a-f]{2})*)(?::\d*)?(?:\/(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})*)*|\/(?:(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})*)*)?|(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})*)*)?(?:\?(?:[a-z0-9\-._~!$&'"()*+,;=:@/?]|%[0-9a-f]{2})*)?(?:#(?:[a-z0-9\-._~!$&'"()*+,;=:@/?]|%[0-9a-f]{2})*)?$/i,
      // uri-template: https://tools.ietf.org/html/rfc6570
      "uri-template": /^(?:(?:[^\x00-\x20"'<>%\\^`{|}]|%[0-9a-f]{2})|\{[+#./;?&=,!@|]?(?:[a-z0-9_]|%[0-9a-f]{2})+(?::[1-9][0-9]{0,3}|\*)?(?:,(?:[a-z0-9_]|%[0-9a-f]{2})+(?::[1-9][0-9]{0,3}|\*)?)*\})*$/i,
      // For the source: https://gist.github.com/dperini/729294
      // For test cases: https://mathiasbynens.be/demo/url-regex
      url: /^(?:https?|ftp):\/\/(?:\S+(?::\S*)?@)?(?:(?!(?:10|127)(?:\.\d{1,3}){3})(?!(?:169\.254|192\.168)(?:\.\d{1,3}){2})(?!172\.(?:1[6-9]|2\d|3[0-1])(?:\.\d{1,3}){2})(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}(?:\.(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-4]))|(?:(?:[a-z0-9\u{00a1}-\u{ffff}]+-)*[a-z0-9\u{00a1}-\u{ffff}]+)(?:\.(?:[a-z0-9\u{00a1}-\u{ffff}]+-)*[a-z0-9\u{00a1}-\u{ffff}]+)*(?:\.(?:[a-z\u{00a1}-\u{ffff}]{2,})))(?::\d{2,5})?(?:\/[^\s]*)?$/iu,
      email: /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i,
      hostname: /^(?=.{1,253}\.?$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[-0-9a-z]{0,61}[0-9a-z])?)*\.?$/i,
      // optimized https://www.safaribooksonline.com/library/view/regular-expressions-cookbook/9780596802837/ch07s16.html
      ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/,
      ipv6: /^((([0-9a-f]{1,4}:){7}([0-9a-f]{1,4}|:))|(([0-9a-f]{1,4}:){6}(:[0-9a-f]{1,4}|((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3})|:))|(([0-9a-f]{1,4}:){5}(((:[0-9a-f]{1,4}){1,2})|:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3})|:))|(([0-9a-f]{1,4}:){4}(((:[0-9a-f]{1,4}){1,3})|((:[0-9a-f]{1,4})?:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(([0-9a-f]{1,4}:){3}(((:[0-9a-f]{1,4}){1,4})|((:[0-9a-f]{1,4}){0,2}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(([0-9a-f]{1,4}:){2}(((:[0-9a-f]{1,4}){1,5})|((:[0-9a-f]{1,4}){0,3}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(([0-9a-f]{1,4}:){1}(((:[0-9a-f]{1,4}){1,6})|((:[0-9a-f]{1,4}){0,4}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(:(((:[0-9a-f]{1,4}){1,7})|((:[0-9a-f]{1,4}){0,5}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:)))$/i,
      regex,
      // uuid: http://tools.ietf.org/html/rfc4122
      uuid: /^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
      // JSON-pointer: https://tools.ietf.org/html/rfc6901
      // uri fragment: https://tools.ietf.org/html/rfc3986#appendix-A
      "json-pointer": /^(?:\/(?:[^~/]|~0|~1)*)*$/,
      "json-pointer-uri-fragment": /^#(?:\/(?:[a-z0-9_\-.!$&'()*+,;:=@]|%[0-9a-f]{2}|~0|~1)*)*$/i,
      // relative JSON-pointer: http://tools.ietf.org/html/draft-luff-relative-json-pointer-00
      "relative-json-pointer": /^(?:0|[1-9][0-9]*)(?:#|(?:\/(?:[^~/]|~0|~1)*)*)$/,
      // the following formats are used by the openapi specification: https://spec.openapis.org/oas/v3.0.0#data-types
      // byte: https://github.com/miguelmota/is-base64
      byte,
      // signed 32 bit integer
      int32: { type: "number", validate: validateInt32 },
      // signed 64 bit integer
      int64: { type: "number", validate: validateInt64 },
      // C-type float
      float: { type: "number", validate: validateNumber },
      // C-type double
      double: { type: "number", validate: validateNumber },
      // hint to the UI to hide input strings
      password: true,
      // unchecked string payload
      binary: true
    };
    exports.fastFormats = {
      ...exports.fullFormats,
      date: fmtDef(/^\d\d\d\d-[0-1]\d-[0-3]\d$/, compareDate),
      time: fmtDef(/^(?:[0-2]\d:[0-5]\d:[0-5]\d|23:59:60)(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)$/i, compareTime),
      "date-time": fmtDef(/^\d\d\d\d-[0-1]\d-[0-3]\dt(?:[0-2]\d:[0-5]\d:[0-5]\d|23:59:60)(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)$/i, compareDateTime),
      "iso-time": fmtDef(/^(?:[0-2]\d:[0-5]\d:[0-5]\d|23:59:60)(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)?$/i, compareIsoTime),
      "iso-date-time": fmtDef(/^\d\d\d\d-[0-1]\d-[0-3]\d[t\s](?:[0-2]\d:[0-5]\d:[0-5]\d|23:59:60)(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)?$/i, compareIsoDateTime),
      // uri: https://github.com/mafintosh/is-my-json-valid/blob/master/formats.js
      uri: /^(?:[a-z][a-z0-9+\-.]*:)(?:\/?\/)?[^\s]*$/i,
      "uri-reference": /^(?:(?:[a-z][a-z0-9+\-.]*:)?\/?\/)?(?:[^\\\s#][^\s#]*)?(?:#[^\\\s]*)?$/i,
      // email (sources from jsen validator):
      // http://stackoverflow.com/questions/201323/using-a-regular-expression-to-validate-an-email-address#answer-8829363
      // http://www.w3.org/TR/html5/forms.html#valid-e-mail-address (search for 'wilful violation')
      email: /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i
    };
    exports.formatNames = Object.keys(exports.fullFormats);
    function isLeapYear(year) {
      return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    }
    var DATE = /^(\d\d\d\d)-(\d\d)-(\d\d)$/;
    var DAYS = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    function date(str) {
      const matches = DATE.exec(str);
      if (!matches)
        return false;
      const year = +matches[1];
      const month = +matches[2];
      const day = +matches[3];
      return month >= 1 && month <= 12 && day >= 1 && day <= (month === 2 && isLeapYear(year) ? 29 : DAYS[month]);
    }
    function compareDate(d1, d2) {
      if (!(d1 && d2))
        return void 0;
      if (d1 > d2)
        return 1;
      if (d1 < d2)
        return -1;
      return 0;
    }
    var TIME = /^(\d\d):(\d\d):(\d\d(?:\.\d+)?)(z|([+-])(\d\d)(?::?(\d\d))?)?$/i;
    function getTime(strictTimeZone) {
      return function time(str) {
        const matches = TIME.exec(str);
        if (!matches)
          return false;
        const hr = +matches[1];
        const min = +matches[2];
        const sec = +matches[3];
        const tz = matches[4];
        const tzSign = matches[5] === "-" ? -1 : 1;
        const tzH = +(matches[6] || 0);
        const tzM = +(matches[7] || 0);
        if (tzH > 23 || tzM > 59 || strictTimeZone && !tz)
          return false;
        if (hr <= 23 && min <= 59 && sec < 60)
          return true;
        const utcMin = min - tzM * tzSign;
        const utcHr = hr - tzH * tzSign - (utcMin < 0 ? 1 : 0);
        return (utcHr === 23 || utcHr === -1) && (utcMin === 59 || utcMin === -1) && sec < 61;
      };
    }
    function compareTime(s1, s2) {
      if (!(s1 && s2))
        return void 0;
      const t1 = (/* @__PURE__ */ new Date("2020-01-01T" + s1)).valueOf();
      const t2 = (/* @__PURE__ */ new Date("2020-01-01T" + s2)).valueOf();
      if (!(t1 && t2))
        return void 0;
      return t1 - t2;
    }
    function compareIsoTime(t1, t2) {
      if (!(t1 && t2))
        return void 0;
      const a1 = TIME.exec(t1);
      const a2 = TIME.exec(t2);
      if (!(a1 && a2))
        return void 0;
      t1 = a1[1] + a1[2] + a1[3];
      t2 = a2[1] + a2[2] + a2[3];
      if (t1 > t2)
        return 1;
      if (t1 < t2)
        return -1;
      return 0;
    }
    var DATE_TIME_SEPARATOR = /t|\s/i;
    function getDateTime(strictTimeZone) {
      const time = getTime(strictTimeZone);
      return function date_time(str) {
        const dateTime = str.split(DATE_TIME_SEPARATOR);
        return dateTime.length === 2 && date(dateTime[0]) && time(dateTime[1]);
      };
    }
    function compareDateTime(dt1, dt2) {
      if (!(dt1 && dt2))
        return void 0;
      const d1 = new Date(dt1).valueOf();
      const d2 = new Date(dt2).valueOf();
      if (!(d1 && d2))
        return void 0;
      return d1 - d2;
    }
    function compareIsoDateTime(dt1, dt2) {
      if (!(dt1 && dt2))
        return void 0;
      const [d1, t1] = dt1.split(DATE_TIME_SEPARATOR);
      const [d2, t2] = dt2.split(DATE_TIME_SEPARATOR);
      const res = compareDate(d1, d2);
      if (res === void 0)
        return void 0;
      return res || compareTime(t1, t2);
    }
    var NOT_URI_FRAGMENT = /\/|:/;
    var URI = /^(?:[a-z][a-z0-9+\-.]*:)(?:\/?\/(?:(?:[a-z0-9\-._~!$&'()*+,;=:]|%[0-9a-f]{2})*@)?(?:\[(?:(?:(?:(?:[0-9a-f]{1,4}:){6}|::(?:[0-9a-f]{1,4}:){5}|(?:[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){4}|(?:(?:[0-9a-f]{1,4}:){0,1}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){3}|(?:(?:[0-9a-f]{1,4}:){0,2}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){2}|(?:(?:[0-9a-f]{1,4}:){0,3}[0-9a-f]{1,4})?::[0-9a-f]{1,4}:|(?:(?:[0-9a-f]{1,4}:){0,4}[0-9a-f]{1,4})?::)(?:[0-9a-f]{1,4}:[0-9a-f]{1,4}|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?))|(?:(?:[0-9a-f]{1,4}:){0,5}[0-9a-f]{1,4})?::[0-9a-f]{1,4}|(?:(?:[0-9a-f]{1,4}:){0,6}[0-9a-f]{1,4})?::)|[Vv][0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+)\]|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?)|(?:[a-z0-9\-._~!$&'()*+,;=]|%[0-9a-f]{2})*)(?::\d*)?(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*|\/(?:(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*)?|(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*)(?:\?(?:[a-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?(?:#(?:[a-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?$/i;
    function uri(str) {
      return NOT_URI_FRAGMENT.test(str) && URI.test(str);
    }
    var BYTE = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/gm;
    function byte(str) {
      BYTE.lastIndex = 0;
      return BYTE.test(str);
    }
    var MIN_INT32 = -(2 ** 31);
    var MAX_INT32 = 2 ** 31 - 1;
    function validateInt32(value) {
      return Number.isInteger(value) && value <= MAX_INT32 && value >= MIN_INT32;
    }
    function validateInt64(value) {
      return Number.isInteger(value);
    }
    function validateNumber() {
      return true;
    }
    var Z_ANCHOR = /[^\\]\\Z/;
    function regex(str) {
      if (Z_ANCHOR.test(str))
        return false;
      try {
        new RegExp(str);
        return true;
      } catch (e) {
        return false;
      }
    }
  }
});

// <stdin>
var sendVerification = validate10;
var schema11 = { "type": "object", "properties": { "header": { "type": "object", "properties": { "Idempotency-Key": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]*$", "x-pattern-words": "must have nothing but ASCII characters that can be seen, and no spaces" } }, "required": [] }, "requestBody": { "type": "object", "additionalProperties": false, "required": ["phone"], "properties": { "phone": { "type": "string", "description": "A phone number in E.164 form, a plus sign and at most 15 digits. The number must be able to exist, and must not\ncharge its caller: no premium rate, shared cost, personal, pager or satellite numbers.\n\nSome phones have two numbers: mobile phones of Argentina (`+54 9 11 \u2026` and `+54 11 \u2026`), and those of Palestine with\n59 and 56 (`+970 59 \u2026` and `+972 59 \u2026`). Both count as one phone, and messages go to the number that was given.\n", "pattern": "^\\+[1-9][0-9]{1,14}$", "x-pattern-words": "must be in E.164 form: + and the country code, then the number, without spaces, like +14155550100", "example": "+14155550100" }, "code": { "type": "string", "description": "A code that you generated, 4 to 10 digits, in place of one that Watchword generates. It needs the scope\n`verify:custom_code`, and excludes `length`. Generate a new code for each send, with a cryptographically\nsecure random number generator. A connection that cannot carry a code of this length is skipped: Telegram\ntakes 4 to 8 digits. It is checked like any other code; `checkVerification` takes up to 8 digits,\n`checkVerificationByPhone` up to 10. If you check it yourself, report with `confirmVerification` that it was\nright. With a test key, all zeros verifies too.\n", "pattern": "^[0-9]{4,10}$", "x-pattern-words": "must be 4 to 10 digits", "x-required-scope": "verify:custom_code", "x-excludes": ["length"], "example": "40718293" }, "length": { "type": "integer", "description": "The number of digits of the code that Watchword generates. Codes of 4 and 5 digits allow 3 attempts, longer\nones 5.\n", "minimum": 4, "maximum": 8, "default": 6, "example": 6 }, "brand_name": { "type": "string", "description": "The name of your application. The message contains it if the channel has a place for it. 1 to 30 characters:\nletters, digits, space and `- _ . & '`, a letter or digit among them; at most 4 digits; nothing that reads\nas a URL, which is a dot with a letter or digit before it and two letters after it, or an IP address. A\ncurly apostrophe (`\u2019`) is sent as `'`.\n", "minLength": 1, "maxLength": 30, "x-pattern-words": "must be a name of letters, digits, spaces and - _ . & ', with a letter or digit, at most 4 digits, and nothing that reads as a URL", "example": "Acme", "pattern": "^(?!(?:[^0-9]*[0-9]){5})(?!.*[\\p{L}\\p{M}0-9]\\.\\p{M}*\\p{L}\\p{M}*\\p{L})(?!.*[0-9]\\.[0-9]+\\.[0-9])(?=.*[\\p{L}0-9]|$)[\\p{L}\\p{M}0-9 _.&'\u2019-]*$" }, "locale": { "type": "string", "description": "The language of the message: a BCP 47 tag, like `de` or `pt-BR`, as browsers and phones name it; `pt_BR` and\n`pt_BR.UTF-8` are accepted as well. If there is no text in that variant, the language itself is used; if\nthere is none in that language, or this names no language, the account's default language, or else English.\nIt is stored only with the message, and no response or event contains it.\n", "maxLength": 200, "example": "pt-BR" }, "channels": { "type": "array", "description": "The only kinds of channels that may carry it, in this order: if one cannot send it, the next one tries. Channels\nof the same kind follow the order of the account. A kind that the account does not have, or that cannot carry\nthis message, is skipped; if none is left, the response is 403 `no_channel`, and `details` says why. Without\nthis field, all channels of the account may carry it, in its order. With a test key, the sandbox carries it.\n", "minItems": 1, "maxItems": 8, "uniqueItems": true, "items": { "type": "string", "description": "The kind of a channel:\n\n* `whatsapp`: WhatsApp, through Meta's Cloud API.\n* `telegram`: the Telegram Gateway, for codes.\n* `sms`: an SMS provider.\n* `http`: the operator's own gateway.\n* `sandbox`: the simulated phone. Test keys use no other channel.\n\nThe list may grow.\n", "x-may-grow": true, "enum": ["whatsapp", "telegram", "sms", "http", "sandbox"], "example": "sms" }, "example": ["whatsapp", "sms"] }, "autofill": { "type": "object", "additionalProperties": false, "description": "What the text of the message needs for the phone to fill in the code automatically. Only channels that write the\ntext themselves use it, like SMS; other channels have their own mechanisms.\n", "properties": { "domain": { "type": "string", "description": "The host of the page that asks for the code, without `https://`, port and path. The message ends with the\nline `@acme.com #482913`. iOS and WebOTP in Chrome offer the code only to pages of that host.\nInternationalized hosts are written in their ASCII form, `xn--\u2026`. With a test key, it can be `localhost`.\n", "maxLength": 253, "pattern": "^(localhost|([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9]))$", "x-pattern-words": "must be a host name like acme.com, without scheme, port and path", "example": "acme.com" }, "app_hash": { "type": "string", "description": "The 11 characters by which Android's SMS Retriever identifies your app. They are the last line of the\nmessage, after the line of `domain`. The message then has at most 140 bytes. To fit, the line of `domain` is\ndropped first, then how long the code is valid, then the name of your application.\n", "minLength": 11, "maxLength": 11, "pattern": "^[A-Za-z0-9+/]{11}$", "x-pattern-words": "must be the 11 characters of an Android app hash: letters, digits, + and /", "example": "FA+9qCX9VSu" } }, "example": { "domain": "acme.com" } }, "signals": { "type": "object", "additionalProperties": false, "description": "What your application knows about the person who requests the code, for the account's rules against SMS pumping.\nAddresses, users, devices and user agents are stored with the message only as keyed hashes, and no response,\nevent or log contains any of it.\n", "properties": { "ip": { "type": "string", "description": "The IPv4 or IPv6 address of the person's device, as your application saw it; not the address of one of your\nservers. A port may follow it, as in `203.0.113.7:51234` and `[2001:db8::1]:443`, and is ignored.\n\nIt may be the value of your proxy's `X-Forwarded-For`: of a list, the first public address is used, or the\nfirst one if none is public. Clients can forge the left part of that list: if you know your proxies, send\nthe address that they saw. An empty text, `-` and `unknown` count as no address.\n", "maxLength": 512, "example": "203.0.113.7" }, "user_id": { "type": "string", "description": "Your own id for the user who requests the code.", "minLength": 1, "maxLength": 128, "example": "user-1042" }, "device_id": { "type": "string", "description": "Your own id for the device.", "minLength": 1, "maxLength": 128, "example": "device-7" }, "user_agent": { "type": "string", "description": "The `User-Agent` of the person's browser or app.", "maxLength": 512, "example": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" }, "platform": { "type": "string", "description": "What your application runs on, in your own words, like `ios` or `web`.", "maxLength": 32, "example": "web" }, "app_version": { "type": "string", "description": "The version of your application.", "maxLength": 32, "example": "4.2.0" }, "trusted": { "type": "boolean", "description": "`true` if you know by other means that the person is real, for example because they are a paying customer.\nThe rules are then skipped; the limits of the phone still apply.\n", "example": false }, "captcha": { "type": "object", "additionalProperties": false, "description": "A captcha that the person solved, and that your server verified with its provider.", "properties": { "provider": { "type": "string", "description": "The provider of the captcha, in your own words.", "minLength": 1, "maxLength": 64, "example": "turnstile" }, "score": { "type": "number", "format": "double", "description": "The provider's score that it is a person, from 0 to 1: 0.9 is 90 percent. Omit it if the provider only\npasses or fails, and it passed.\n", "minimum": 0, "maximum": 1, "example": 0.9 } }, "example": { "provider": "turnstile" } } }, "example": { "ip": "203.0.113.7", "user_id": "user-1042" } } } } }, "required": ["header", "requestBody"] };
var func0 = Object.prototype.hasOwnProperty;
var func49 = require_ucs2length().default;
var pattern0 = new RegExp("^[!-~]*$", "u");
var pattern1 = new RegExp("^\\+[1-9][0-9]{1,14}$", "u");
var pattern2 = new RegExp("^[0-9]{4,10}$", "u");
var pattern3 = new RegExp("^(?!(?:[^0-9]*[0-9]){5})(?!.*[\\p{L}\\p{M}0-9]\\.\\p{M}*\\p{L}\\p{M}*\\p{L})(?!.*[0-9]\\.[0-9]+\\.[0-9])(?=.*[\\p{L}0-9]|$)[\\p{L}\\p{M}0-9 _.&'\u2019-]*$", "u");
var pattern4 = new RegExp("^(localhost|([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9]))$", "u");
var pattern5 = new RegExp("^[A-Za-z0-9+/]{11}$", "u");
var formats0 = require_formats().fullFormats.double;
function validate10(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.header === void 0 || !func0.call(data, "header")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "header" }, message: "must have required property 'header'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.requestBody === void 0 || !func0.call(data, "requestBody")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "requestBody" }, message: "must have required property 'requestBody'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.header !== void 0 && func0.call(data, "header")) {
      let data0 = data.header;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0["Idempotency-Key"] !== void 0 && func0.call(data0, "Idempotency-Key")) {
          let data1 = data0["Idempotency-Key"];
          if (typeof data1 === "string") {
            if (func49(data1) > 255) {
              const err2 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/maxLength", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters" };
              if (vErrors === null) {
                vErrors = [err2];
              } else {
                vErrors.push(err2);
              }
              errors++;
            }
            if (func49(data1) < 1) {
              const err3 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err3];
              } else {
                vErrors.push(err3);
              }
              errors++;
            }
            if (!pattern0.test(data1)) {
              const err4 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/pattern", keyword: "pattern", params: { pattern: "^[!-~]*$" }, message: 'must match pattern "^[!-~]*$"' };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          } else {
            const err5 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
      } else {
        const err6 = { instancePath: instancePath + "/header", schemaPath: "#/properties/header/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.requestBody !== void 0 && func0.call(data, "requestBody")) {
      let data2 = data.requestBody;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
        if (data2.length === void 0) {
          data2.length = 6;
        }
        if (data2.phone === void 0 || !func0.call(data2, "phone")) {
          const err7 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/required", keyword: "required", params: { missingProperty: "phone" }, message: "must have required property 'phone'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key0 of Object.keys(data2)) {
          if (!(key0 === "phone" || key0 === "code" || key0 === "length" || key0 === "brand_name" || key0 === "locale" || key0 === "channels" || key0 === "autofill" || key0 === "signals")) {
            const err8 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data2.phone !== void 0 && func0.call(data2, "phone")) {
          let data3 = data2.phone;
          if (typeof data3 === "string") {
            if (!pattern1.test(data3)) {
              const err9 = { instancePath: instancePath + "/requestBody/phone", schemaPath: "#/properties/requestBody/properties/phone/pattern", keyword: "pattern", params: { pattern: "^\\+[1-9][0-9]{1,14}$" }, message: 'must match pattern "^\\+[1-9][0-9]{1,14}$"' };
              if (vErrors === null) {
                vErrors = [err9];
              } else {
                vErrors.push(err9);
              }
              errors++;
            }
          } else {
            const err10 = { instancePath: instancePath + "/requestBody/phone", schemaPath: "#/properties/requestBody/properties/phone/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data2.code !== void 0 && func0.call(data2, "code")) {
          let data4 = data2.code;
          if (typeof data4 === "string") {
            if (!pattern2.test(data4)) {
              const err11 = { instancePath: instancePath + "/requestBody/code", schemaPath: "#/properties/requestBody/properties/code/pattern", keyword: "pattern", params: { pattern: "^[0-9]{4,10}$" }, message: 'must match pattern "^[0-9]{4,10}$"' };
              if (vErrors === null) {
                vErrors = [err11];
              } else {
                vErrors.push(err11);
              }
              errors++;
            }
          } else {
            const err12 = { instancePath: instancePath + "/requestBody/code", schemaPath: "#/properties/requestBody/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err12];
            } else {
              vErrors.push(err12);
            }
            errors++;
          }
        }
        let data5 = data2.length;
        if (!(typeof data5 == "number" && (!(data5 % 1) && !isNaN(data5)) && isFinite(data5))) {
          const err13 = { instancePath: instancePath + "/requestBody/length", schemaPath: "#/properties/requestBody/properties/length/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
          if (vErrors === null) {
            vErrors = [err13];
          } else {
            vErrors.push(err13);
          }
          errors++;
        }
        if (typeof data5 == "number" && isFinite(data5)) {
          if (data5 > 8 || isNaN(data5)) {
            const err14 = { instancePath: instancePath + "/requestBody/length", schemaPath: "#/properties/requestBody/properties/length/maximum", keyword: "maximum", params: { comparison: "<=", limit: 8 }, message: "must be <= 8" };
            if (vErrors === null) {
              vErrors = [err14];
            } else {
              vErrors.push(err14);
            }
            errors++;
          }
          if (data5 < 4 || isNaN(data5)) {
            const err15 = { instancePath: instancePath + "/requestBody/length", schemaPath: "#/properties/requestBody/properties/length/minimum", keyword: "minimum", params: { comparison: ">=", limit: 4 }, message: "must be >= 4" };
            if (vErrors === null) {
              vErrors = [err15];
            } else {
              vErrors.push(err15);
            }
            errors++;
          }
        }
        if (data2.brand_name !== void 0 && func0.call(data2, "brand_name")) {
          let data6 = data2.brand_name;
          if (typeof data6 === "string") {
            if (func49(data6) > 30) {
              const err16 = { instancePath: instancePath + "/requestBody/brand_name", schemaPath: "#/properties/requestBody/properties/brand_name/maxLength", keyword: "maxLength", params: { limit: 30 }, message: "must NOT have more than 30 characters" };
              if (vErrors === null) {
                vErrors = [err16];
              } else {
                vErrors.push(err16);
              }
              errors++;
            }
            if (func49(data6) < 1) {
              const err17 = { instancePath: instancePath + "/requestBody/brand_name", schemaPath: "#/properties/requestBody/properties/brand_name/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err17];
              } else {
                vErrors.push(err17);
              }
              errors++;
            }
            if (!pattern3.test(data6)) {
              const err18 = { instancePath: instancePath + "/requestBody/brand_name", schemaPath: "#/properties/requestBody/properties/brand_name/pattern", keyword: "pattern", params: { pattern: "^(?!(?:[^0-9]*[0-9]){5})(?!.*[\\p{L}\\p{M}0-9]\\.\\p{M}*\\p{L}\\p{M}*\\p{L})(?!.*[0-9]\\.[0-9]+\\.[0-9])(?=.*[\\p{L}0-9]|$)[\\p{L}\\p{M}0-9 _.&'\u2019-]*$" }, message: `must match pattern "^(?!(?:[^0-9]*[0-9]){5})(?!.*[\\p{L}\\p{M}0-9]\\.\\p{M}*\\p{L}\\p{M}*\\p{L})(?!.*[0-9]\\.[0-9]+\\.[0-9])(?=.*[\\p{L}0-9]|$)[\\p{L}\\p{M}0-9 _.&'\u2019-]*$"` };
              if (vErrors === null) {
                vErrors = [err18];
              } else {
                vErrors.push(err18);
              }
              errors++;
            }
          } else {
            const err19 = { instancePath: instancePath + "/requestBody/brand_name", schemaPath: "#/properties/requestBody/properties/brand_name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err19];
            } else {
              vErrors.push(err19);
            }
            errors++;
          }
        }
        if (data2.locale !== void 0 && func0.call(data2, "locale")) {
          let data7 = data2.locale;
          if (typeof data7 === "string") {
            if (func49(data7) > 200) {
              const err20 = { instancePath: instancePath + "/requestBody/locale", schemaPath: "#/properties/requestBody/properties/locale/maxLength", keyword: "maxLength", params: { limit: 200 }, message: "must NOT have more than 200 characters" };
              if (vErrors === null) {
                vErrors = [err20];
              } else {
                vErrors.push(err20);
              }
              errors++;
            }
          } else {
            const err21 = { instancePath: instancePath + "/requestBody/locale", schemaPath: "#/properties/requestBody/properties/locale/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err21];
            } else {
              vErrors.push(err21);
            }
            errors++;
          }
        }
        if (data2.channels !== void 0 && func0.call(data2, "channels")) {
          let data8 = data2.channels;
          if (Array.isArray(data8)) {
            if (data8.length > 8) {
              const err22 = { instancePath: instancePath + "/requestBody/channels", schemaPath: "#/properties/requestBody/properties/channels/maxItems", keyword: "maxItems", params: { limit: 8 }, message: "must NOT have more than 8 items" };
              if (vErrors === null) {
                vErrors = [err22];
              } else {
                vErrors.push(err22);
              }
              errors++;
            }
            if (data8.length < 1) {
              const err23 = { instancePath: instancePath + "/requestBody/channels", schemaPath: "#/properties/requestBody/properties/channels/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
              if (vErrors === null) {
                vErrors = [err23];
              } else {
                vErrors.push(err23);
              }
              errors++;
            }
            const len0 = data8.length;
            for (let i0 = 0; i0 < len0; i0++) {
              let data9 = data8[i0];
              if (typeof data9 !== "string") {
                const err24 = { instancePath: instancePath + "/requestBody/channels/" + i0, schemaPath: "#/properties/requestBody/properties/channels/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err24];
                } else {
                  vErrors.push(err24);
                }
                errors++;
              }
              if (!(data9 === "whatsapp" || data9 === "telegram" || data9 === "sms" || data9 === "http" || data9 === "sandbox")) {
                const err25 = { instancePath: instancePath + "/requestBody/channels/" + i0, schemaPath: "#/properties/requestBody/properties/channels/items/enum", keyword: "enum", params: { allowedValues: schema11.properties.requestBody.properties.channels.items.enum }, message: "must be equal to one of the allowed values" };
                if (vErrors === null) {
                  vErrors = [err25];
                } else {
                  vErrors.push(err25);
                }
                errors++;
              }
            }
            let i1 = data8.length;
            let j0;
            if (i1 > 1) {
              const indices0 = {};
              for (; i1--; ) {
                let item0 = data8[i1];
                if (typeof item0 !== "string") {
                  continue;
                }
                if (typeof indices0[item0] == "number") {
                  j0 = indices0[item0];
                  const err26 = { instancePath: instancePath + "/requestBody/channels", schemaPath: "#/properties/requestBody/properties/channels/uniqueItems", keyword: "uniqueItems", params: { i: i1, j: j0 }, message: "must NOT have duplicate items (items ## " + j0 + " and " + i1 + " are identical)" };
                  if (vErrors === null) {
                    vErrors = [err26];
                  } else {
                    vErrors.push(err26);
                  }
                  errors++;
                  break;
                }
                indices0[item0] = i1;
              }
            }
          } else {
            const err27 = { instancePath: instancePath + "/requestBody/channels", schemaPath: "#/properties/requestBody/properties/channels/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            if (vErrors === null) {
              vErrors = [err27];
            } else {
              vErrors.push(err27);
            }
            errors++;
          }
        }
        if (data2.autofill !== void 0 && func0.call(data2, "autofill")) {
          let data10 = data2.autofill;
          if (data10 && typeof data10 == "object" && !Array.isArray(data10)) {
            for (const key1 of Object.keys(data10)) {
              if (!(key1 === "domain" || key1 === "app_hash")) {
                const err28 = { instancePath: instancePath + "/requestBody/autofill", schemaPath: "#/properties/requestBody/properties/autofill/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
                if (vErrors === null) {
                  vErrors = [err28];
                } else {
                  vErrors.push(err28);
                }
                errors++;
              }
            }
            if (data10.domain !== void 0 && func0.call(data10, "domain")) {
              let data11 = data10.domain;
              if (typeof data11 === "string") {
                if (func49(data11) > 253) {
                  const err29 = { instancePath: instancePath + "/requestBody/autofill/domain", schemaPath: "#/properties/requestBody/properties/autofill/properties/domain/maxLength", keyword: "maxLength", params: { limit: 253 }, message: "must NOT have more than 253 characters" };
                  if (vErrors === null) {
                    vErrors = [err29];
                  } else {
                    vErrors.push(err29);
                  }
                  errors++;
                }
                if (!pattern4.test(data11)) {
                  const err30 = { instancePath: instancePath + "/requestBody/autofill/domain", schemaPath: "#/properties/requestBody/properties/autofill/properties/domain/pattern", keyword: "pattern", params: { pattern: "^(localhost|([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9]))$" }, message: 'must match pattern "^(localhost|([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9]))$"' };
                  if (vErrors === null) {
                    vErrors = [err30];
                  } else {
                    vErrors.push(err30);
                  }
                  errors++;
                }
              } else {
                const err31 = { instancePath: instancePath + "/requestBody/autofill/domain", schemaPath: "#/properties/requestBody/properties/autofill/properties/domain/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err31];
                } else {
                  vErrors.push(err31);
                }
                errors++;
              }
            }
            if (data10.app_hash !== void 0 && func0.call(data10, "app_hash")) {
              let data12 = data10.app_hash;
              if (typeof data12 === "string") {
                if (func49(data12) > 11) {
                  const err32 = { instancePath: instancePath + "/requestBody/autofill/app_hash", schemaPath: "#/properties/requestBody/properties/autofill/properties/app_hash/maxLength", keyword: "maxLength", params: { limit: 11 }, message: "must NOT have more than 11 characters" };
                  if (vErrors === null) {
                    vErrors = [err32];
                  } else {
                    vErrors.push(err32);
                  }
                  errors++;
                }
                if (func49(data12) < 11) {
                  const err33 = { instancePath: instancePath + "/requestBody/autofill/app_hash", schemaPath: "#/properties/requestBody/properties/autofill/properties/app_hash/minLength", keyword: "minLength", params: { limit: 11 }, message: "must NOT have fewer than 11 characters" };
                  if (vErrors === null) {
                    vErrors = [err33];
                  } else {
                    vErrors.push(err33);
                  }
                  errors++;
                }
                if (!pattern5.test(data12)) {
                  const err34 = { instancePath: instancePath + "/requestBody/autofill/app_hash", schemaPath: "#/properties/requestBody/properties/autofill/properties/app_hash/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9+/]{11}$" }, message: 'must match pattern "^[A-Za-z0-9+/]{11}$"' };
                  if (vErrors === null) {
                    vErrors = [err34];
                  } else {
                    vErrors.push(err34);
                  }
                  errors++;
                }
              } else {
                const err35 = { instancePath: instancePath + "/requestBody/autofill/app_hash", schemaPath: "#/properties/requestBody/properties/autofill/properties/app_hash/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err35];
                } else {
                  vErrors.push(err35);
                }
                errors++;
              }
            }
          } else {
            const err36 = { instancePath: instancePath + "/requestBody/autofill", schemaPath: "#/properties/requestBody/properties/autofill/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            if (vErrors === null) {
              vErrors = [err36];
            } else {
              vErrors.push(err36);
            }
            errors++;
          }
        }
        if (data2.signals !== void 0 && func0.call(data2, "signals")) {
          let data13 = data2.signals;
          if (data13 && typeof data13 == "object" && !Array.isArray(data13)) {
            for (const key2 of Object.keys(data13)) {
              if (!(key2 === "ip" || key2 === "user_id" || key2 === "device_id" || key2 === "user_agent" || key2 === "platform" || key2 === "app_version" || key2 === "trusted" || key2 === "captcha")) {
                const err37 = { instancePath: instancePath + "/requestBody/signals", schemaPath: "#/properties/requestBody/properties/signals/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
                if (vErrors === null) {
                  vErrors = [err37];
                } else {
                  vErrors.push(err37);
                }
                errors++;
              }
            }
            if (data13.ip !== void 0 && func0.call(data13, "ip")) {
              let data14 = data13.ip;
              if (typeof data14 === "string") {
                if (func49(data14) > 512) {
                  const err38 = { instancePath: instancePath + "/requestBody/signals/ip", schemaPath: "#/properties/requestBody/properties/signals/properties/ip/maxLength", keyword: "maxLength", params: { limit: 512 }, message: "must NOT have more than 512 characters" };
                  if (vErrors === null) {
                    vErrors = [err38];
                  } else {
                    vErrors.push(err38);
                  }
                  errors++;
                }
              } else {
                const err39 = { instancePath: instancePath + "/requestBody/signals/ip", schemaPath: "#/properties/requestBody/properties/signals/properties/ip/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err39];
                } else {
                  vErrors.push(err39);
                }
                errors++;
              }
            }
            if (data13.user_id !== void 0 && func0.call(data13, "user_id")) {
              let data15 = data13.user_id;
              if (typeof data15 === "string") {
                if (func49(data15) > 128) {
                  const err40 = { instancePath: instancePath + "/requestBody/signals/user_id", schemaPath: "#/properties/requestBody/properties/signals/properties/user_id/maxLength", keyword: "maxLength", params: { limit: 128 }, message: "must NOT have more than 128 characters" };
                  if (vErrors === null) {
                    vErrors = [err40];
                  } else {
                    vErrors.push(err40);
                  }
                  errors++;
                }
                if (func49(data15) < 1) {
                  const err41 = { instancePath: instancePath + "/requestBody/signals/user_id", schemaPath: "#/properties/requestBody/properties/signals/properties/user_id/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                  if (vErrors === null) {
                    vErrors = [err41];
                  } else {
                    vErrors.push(err41);
                  }
                  errors++;
                }
              } else {
                const err42 = { instancePath: instancePath + "/requestBody/signals/user_id", schemaPath: "#/properties/requestBody/properties/signals/properties/user_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err42];
                } else {
                  vErrors.push(err42);
                }
                errors++;
              }
            }
            if (data13.device_id !== void 0 && func0.call(data13, "device_id")) {
              let data16 = data13.device_id;
              if (typeof data16 === "string") {
                if (func49(data16) > 128) {
                  const err43 = { instancePath: instancePath + "/requestBody/signals/device_id", schemaPath: "#/properties/requestBody/properties/signals/properties/device_id/maxLength", keyword: "maxLength", params: { limit: 128 }, message: "must NOT have more than 128 characters" };
                  if (vErrors === null) {
                    vErrors = [err43];
                  } else {
                    vErrors.push(err43);
                  }
                  errors++;
                }
                if (func49(data16) < 1) {
                  const err44 = { instancePath: instancePath + "/requestBody/signals/device_id", schemaPath: "#/properties/requestBody/properties/signals/properties/device_id/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                  if (vErrors === null) {
                    vErrors = [err44];
                  } else {
                    vErrors.push(err44);
                  }
                  errors++;
                }
              } else {
                const err45 = { instancePath: instancePath + "/requestBody/signals/device_id", schemaPath: "#/properties/requestBody/properties/signals/properties/device_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err45];
                } else {
                  vErrors.push(err45);
                }
                errors++;
              }
            }
            if (data13.user_agent !== void 0 && func0.call(data13, "user_agent")) {
              let data17 = data13.user_agent;
              if (typeof data17 === "string") {
                if (func49(data17) > 512) {
                  const err46 = { instancePath: instancePath + "/requestBody/signals/user_agent", schemaPath: "#/properties/requestBody/properties/signals/properties/user_agent/maxLength", keyword: "maxLength", params: { limit: 512 }, message: "must NOT have more than 512 characters" };
                  if (vErrors === null) {
                    vErrors = [err46];
                  } else {
                    vErrors.push(err46);
                  }
                  errors++;
                }
              } else {
                const err47 = { instancePath: instancePath + "/requestBody/signals/user_agent", schemaPath: "#/properties/requestBody/properties/signals/properties/user_agent/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err47];
                } else {
                  vErrors.push(err47);
                }
                errors++;
              }
            }
            if (data13.platform !== void 0 && func0.call(data13, "platform")) {
              let data18 = data13.platform;
              if (typeof data18 === "string") {
                if (func49(data18) > 32) {
                  const err48 = { instancePath: instancePath + "/requestBody/signals/platform", schemaPath: "#/properties/requestBody/properties/signals/properties/platform/maxLength", keyword: "maxLength", params: { limit: 32 }, message: "must NOT have more than 32 characters" };
                  if (vErrors === null) {
                    vErrors = [err48];
                  } else {
                    vErrors.push(err48);
                  }
                  errors++;
                }
              } else {
                const err49 = { instancePath: instancePath + "/requestBody/signals/platform", schemaPath: "#/properties/requestBody/properties/signals/properties/platform/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err49];
                } else {
                  vErrors.push(err49);
                }
                errors++;
              }
            }
            if (data13.app_version !== void 0 && func0.call(data13, "app_version")) {
              let data19 = data13.app_version;
              if (typeof data19 === "string") {
                if (func49(data19) > 32) {
                  const err50 = { instancePath: instancePath + "/requestBody/signals/app_version", schemaPath: "#/properties/requestBody/properties/signals/properties/app_version/maxLength", keyword: "maxLength", params: { limit: 32 }, message: "must NOT have more than 32 characters" };
                  if (vErrors === null) {
                    vErrors = [err50];
                  } else {
                    vErrors.push(err50);
                  }
                  errors++;
                }
              } else {
                const err51 = { instancePath: instancePath + "/requestBody/signals/app_version", schemaPath: "#/properties/requestBody/properties/signals/properties/app_version/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err51];
                } else {
                  vErrors.push(err51);
                }
                errors++;
              }
            }
            if (data13.trusted !== void 0 && func0.call(data13, "trusted")) {
              if (typeof data13.trusted !== "boolean") {
                const err52 = { instancePath: instancePath + "/requestBody/signals/trusted", schemaPath: "#/properties/requestBody/properties/signals/properties/trusted/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                if (vErrors === null) {
                  vErrors = [err52];
                } else {
                  vErrors.push(err52);
                }
                errors++;
              }
            }
            if (data13.captcha !== void 0 && func0.call(data13, "captcha")) {
              let data21 = data13.captcha;
              if (data21 && typeof data21 == "object" && !Array.isArray(data21)) {
                for (const key3 of Object.keys(data21)) {
                  if (!(key3 === "provider" || key3 === "score")) {
                    const err53 = { instancePath: instancePath + "/requestBody/signals/captcha", schemaPath: "#/properties/requestBody/properties/signals/properties/captcha/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 }, message: "must NOT have additional properties" };
                    if (vErrors === null) {
                      vErrors = [err53];
                    } else {
                      vErrors.push(err53);
                    }
                    errors++;
                  }
                }
                if (data21.provider !== void 0 && func0.call(data21, "provider")) {
                  let data22 = data21.provider;
                  if (typeof data22 === "string") {
                    if (func49(data22) > 64) {
                      const err54 = { instancePath: instancePath + "/requestBody/signals/captcha/provider", schemaPath: "#/properties/requestBody/properties/signals/properties/captcha/properties/provider/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                      if (vErrors === null) {
                        vErrors = [err54];
                      } else {
                        vErrors.push(err54);
                      }
                      errors++;
                    }
                    if (func49(data22) < 1) {
                      const err55 = { instancePath: instancePath + "/requestBody/signals/captcha/provider", schemaPath: "#/properties/requestBody/properties/signals/properties/captcha/properties/provider/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                      if (vErrors === null) {
                        vErrors = [err55];
                      } else {
                        vErrors.push(err55);
                      }
                      errors++;
                    }
                  } else {
                    const err56 = { instancePath: instancePath + "/requestBody/signals/captcha/provider", schemaPath: "#/properties/requestBody/properties/signals/properties/captcha/properties/provider/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err56];
                    } else {
                      vErrors.push(err56);
                    }
                    errors++;
                  }
                }
                if (data21.score !== void 0 && func0.call(data21, "score")) {
                  let data23 = data21.score;
                  if (typeof data23 == "number" && isFinite(data23)) {
                    if (data23 > 1 || isNaN(data23)) {
                      const err57 = { instancePath: instancePath + "/requestBody/signals/captcha/score", schemaPath: "#/properties/requestBody/properties/signals/properties/captcha/properties/score/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1 }, message: "must be <= 1" };
                      if (vErrors === null) {
                        vErrors = [err57];
                      } else {
                        vErrors.push(err57);
                      }
                      errors++;
                    }
                    if (data23 < 0 || isNaN(data23)) {
                      const err58 = { instancePath: instancePath + "/requestBody/signals/captcha/score", schemaPath: "#/properties/requestBody/properties/signals/properties/captcha/properties/score/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                      if (vErrors === null) {
                        vErrors = [err58];
                      } else {
                        vErrors.push(err58);
                      }
                      errors++;
                    }
                    if (!formats0.validate(data23)) {
                      const err59 = { instancePath: instancePath + "/requestBody/signals/captcha/score", schemaPath: "#/properties/requestBody/properties/signals/properties/captcha/properties/score/format", keyword: "format", params: { format: "double" }, message: 'must match format "double"' };
                      if (vErrors === null) {
                        vErrors = [err59];
                      } else {
                        vErrors.push(err59);
                      }
                      errors++;
                    }
                  } else {
                    const err60 = { instancePath: instancePath + "/requestBody/signals/captcha/score", schemaPath: "#/properties/requestBody/properties/signals/properties/captcha/properties/score/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                    if (vErrors === null) {
                      vErrors = [err60];
                    } else {
                      vErrors.push(err60);
                    }
                    errors++;
                  }
                }
              } else {
                const err61 = { instancePath: instancePath + "/requestBody/signals/captcha", schemaPath: "#/properties/requestBody/properties/signals/properties/captcha/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                if (vErrors === null) {
                  vErrors = [err61];
                } else {
                  vErrors.push(err61);
                }
                errors++;
              }
            }
          } else {
            const err62 = { instancePath: instancePath + "/requestBody/signals", schemaPath: "#/properties/requestBody/properties/signals/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            if (vErrors === null) {
              vErrors = [err62];
            } else {
              vErrors.push(err62);
            }
            errors++;
          }
        }
      } else {
        const err63 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err63];
        } else {
          vErrors.push(err63);
        }
        errors++;
      }
    }
  } else {
    const err64 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err64];
    } else {
      vErrors.push(err64);
    }
    errors++;
  }
  validate10.errors = vErrors;
  return errors === 0;
}
var checkVerification = validate11;
var pattern7 = new RegExp("^req_[0-9A-HJKMNP-TV-Z]{26}$", "u");
var pattern8 = new RegExp("^[0-9]{4,8}$", "u");
var pattern9 = new RegExp("^[!-~]{1,200}$", "u");
function validate11(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.header === void 0 || !func0.call(data, "header")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "header" }, message: "must have required property 'header'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.requestBody === void 0 || !func0.call(data, "requestBody")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "requestBody" }, message: "must have required property 'requestBody'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.header !== void 0 && func0.call(data, "header")) {
      let data0 = data.header;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0["Idempotency-Key"] !== void 0 && func0.call(data0, "Idempotency-Key")) {
          let data1 = data0["Idempotency-Key"];
          if (typeof data1 === "string") {
            if (func49(data1) > 255) {
              const err2 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/maxLength", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters" };
              if (vErrors === null) {
                vErrors = [err2];
              } else {
                vErrors.push(err2);
              }
              errors++;
            }
            if (func49(data1) < 1) {
              const err3 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err3];
              } else {
                vErrors.push(err3);
              }
              errors++;
            }
            if (!pattern0.test(data1)) {
              const err4 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/pattern", keyword: "pattern", params: { pattern: "^[!-~]*$" }, message: 'must match pattern "^[!-~]*$"' };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          } else {
            const err5 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
      } else {
        const err6 = { instancePath: instancePath + "/header", schemaPath: "#/properties/header/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.requestBody !== void 0 && func0.call(data, "requestBody")) {
      let data2 = data.requestBody;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
        if (data2.request_id === void 0 || !func0.call(data2, "request_id")) {
          const err7 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/required", keyword: "required", params: { missingProperty: "request_id" }, message: "must have required property 'request_id'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        if (data2.code === void 0 || !func0.call(data2, "code")) {
          const err8 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
        for (const key0 of Object.keys(data2)) {
          if (!(key0 === "request_id" || key0 === "code" || key0 === "receipt")) {
            const err9 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
        }
        if (data2.request_id !== void 0 && func0.call(data2, "request_id")) {
          let data3 = data2.request_id;
          if (typeof data3 === "string") {
            if (!pattern7.test(data3)) {
              const err10 = { instancePath: instancePath + "/requestBody/request_id", schemaPath: "#/properties/requestBody/properties/request_id/pattern", keyword: "pattern", params: { pattern: "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, message: 'must match pattern "^req_[0-9A-HJKMNP-TV-Z]{26}$"' };
              if (vErrors === null) {
                vErrors = [err10];
              } else {
                vErrors.push(err10);
              }
              errors++;
            }
          } else {
            const err11 = { instancePath: instancePath + "/requestBody/request_id", schemaPath: "#/properties/requestBody/properties/request_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data2.code !== void 0 && func0.call(data2, "code")) {
          let data4 = data2.code;
          if (typeof data4 === "string") {
            if (!pattern8.test(data4)) {
              const err12 = { instancePath: instancePath + "/requestBody/code", schemaPath: "#/properties/requestBody/properties/code/pattern", keyword: "pattern", params: { pattern: "^[0-9]{4,8}$" }, message: 'must match pattern "^[0-9]{4,8}$"' };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
          } else {
            const err13 = { instancePath: instancePath + "/requestBody/code", schemaPath: "#/properties/requestBody/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
        if (data2.receipt !== void 0 && func0.call(data2, "receipt")) {
          let data5 = data2.receipt;
          if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
            if (data5.audience === void 0 || !func0.call(data5, "audience")) {
              const err14 = { instancePath: instancePath + "/requestBody/receipt", schemaPath: "#/properties/requestBody/properties/receipt/required", keyword: "required", params: { missingProperty: "audience" }, message: "must have required property 'audience'" };
              if (vErrors === null) {
                vErrors = [err14];
              } else {
                vErrors.push(err14);
              }
              errors++;
            }
            for (const key1 of Object.keys(data5)) {
              if (!(key1 === "audience" || key1 === "nonce")) {
                const err15 = { instancePath: instancePath + "/requestBody/receipt", schemaPath: "#/properties/requestBody/properties/receipt/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
                if (vErrors === null) {
                  vErrors = [err15];
                } else {
                  vErrors.push(err15);
                }
                errors++;
              }
            }
            if (data5.audience !== void 0 && func0.call(data5, "audience")) {
              let data6 = data5.audience;
              if (typeof data6 === "string") {
                if (!pattern9.test(data6)) {
                  const err16 = { instancePath: instancePath + "/requestBody/receipt/audience", schemaPath: "#/properties/requestBody/properties/receipt/properties/audience/pattern", keyword: "pattern", params: { pattern: "^[!-~]{1,200}$" }, message: 'must match pattern "^[!-~]{1,200}$"' };
                  if (vErrors === null) {
                    vErrors = [err16];
                  } else {
                    vErrors.push(err16);
                  }
                  errors++;
                }
              } else {
                const err17 = { instancePath: instancePath + "/requestBody/receipt/audience", schemaPath: "#/properties/requestBody/properties/receipt/properties/audience/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err17];
                } else {
                  vErrors.push(err17);
                }
                errors++;
              }
            }
            if (data5.nonce !== void 0 && func0.call(data5, "nonce")) {
              let data7 = data5.nonce;
              if (typeof data7 === "string") {
                if (!pattern9.test(data7)) {
                  const err18 = { instancePath: instancePath + "/requestBody/receipt/nonce", schemaPath: "#/properties/requestBody/properties/receipt/properties/nonce/pattern", keyword: "pattern", params: { pattern: "^[!-~]{1,200}$" }, message: 'must match pattern "^[!-~]{1,200}$"' };
                  if (vErrors === null) {
                    vErrors = [err18];
                  } else {
                    vErrors.push(err18);
                  }
                  errors++;
                }
              } else {
                const err19 = { instancePath: instancePath + "/requestBody/receipt/nonce", schemaPath: "#/properties/requestBody/properties/receipt/properties/nonce/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err19];
                } else {
                  vErrors.push(err19);
                }
                errors++;
              }
            }
          } else {
            const err20 = { instancePath: instancePath + "/requestBody/receipt", schemaPath: "#/properties/requestBody/properties/receipt/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            if (vErrors === null) {
              vErrors = [err20];
            } else {
              vErrors.push(err20);
            }
            errors++;
          }
        }
      } else {
        const err21 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err21];
        } else {
          vErrors.push(err21);
        }
        errors++;
      }
    }
  } else {
    const err22 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err22];
    } else {
      vErrors.push(err22);
    }
    errors++;
  }
  validate11.errors = vErrors;
  return errors === 0;
}
var checkVerificationByPhone = validate12;
function validate12(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.header === void 0 || !func0.call(data, "header")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "header" }, message: "must have required property 'header'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.requestBody === void 0 || !func0.call(data, "requestBody")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "requestBody" }, message: "must have required property 'requestBody'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.header !== void 0 && func0.call(data, "header")) {
      let data0 = data.header;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0["Idempotency-Key"] !== void 0 && func0.call(data0, "Idempotency-Key")) {
          let data1 = data0["Idempotency-Key"];
          if (typeof data1 === "string") {
            if (func49(data1) > 255) {
              const err2 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/maxLength", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters" };
              if (vErrors === null) {
                vErrors = [err2];
              } else {
                vErrors.push(err2);
              }
              errors++;
            }
            if (func49(data1) < 1) {
              const err3 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err3];
              } else {
                vErrors.push(err3);
              }
              errors++;
            }
            if (!pattern0.test(data1)) {
              const err4 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/pattern", keyword: "pattern", params: { pattern: "^[!-~]*$" }, message: 'must match pattern "^[!-~]*$"' };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          } else {
            const err5 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
      } else {
        const err6 = { instancePath: instancePath + "/header", schemaPath: "#/properties/header/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.requestBody !== void 0 && func0.call(data, "requestBody")) {
      let data2 = data.requestBody;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
        if (data2.phone === void 0 || !func0.call(data2, "phone")) {
          const err7 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/required", keyword: "required", params: { missingProperty: "phone" }, message: "must have required property 'phone'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        if (data2.code === void 0 || !func0.call(data2, "code")) {
          const err8 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
        for (const key0 of Object.keys(data2)) {
          if (!(key0 === "phone" || key0 === "code" || key0 === "receipt")) {
            const err9 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
        }
        if (data2.phone !== void 0 && func0.call(data2, "phone")) {
          let data3 = data2.phone;
          if (typeof data3 === "string") {
            if (!pattern1.test(data3)) {
              const err10 = { instancePath: instancePath + "/requestBody/phone", schemaPath: "#/properties/requestBody/properties/phone/pattern", keyword: "pattern", params: { pattern: "^\\+[1-9][0-9]{1,14}$" }, message: 'must match pattern "^\\+[1-9][0-9]{1,14}$"' };
              if (vErrors === null) {
                vErrors = [err10];
              } else {
                vErrors.push(err10);
              }
              errors++;
            }
          } else {
            const err11 = { instancePath: instancePath + "/requestBody/phone", schemaPath: "#/properties/requestBody/properties/phone/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data2.code !== void 0 && func0.call(data2, "code")) {
          let data4 = data2.code;
          if (typeof data4 === "string") {
            if (!pattern2.test(data4)) {
              const err12 = { instancePath: instancePath + "/requestBody/code", schemaPath: "#/properties/requestBody/properties/code/pattern", keyword: "pattern", params: { pattern: "^[0-9]{4,10}$" }, message: 'must match pattern "^[0-9]{4,10}$"' };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
          } else {
            const err13 = { instancePath: instancePath + "/requestBody/code", schemaPath: "#/properties/requestBody/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
        if (data2.receipt !== void 0 && func0.call(data2, "receipt")) {
          let data5 = data2.receipt;
          if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
            if (data5.audience === void 0 || !func0.call(data5, "audience")) {
              const err14 = { instancePath: instancePath + "/requestBody/receipt", schemaPath: "#/properties/requestBody/properties/receipt/required", keyword: "required", params: { missingProperty: "audience" }, message: "must have required property 'audience'" };
              if (vErrors === null) {
                vErrors = [err14];
              } else {
                vErrors.push(err14);
              }
              errors++;
            }
            for (const key1 of Object.keys(data5)) {
              if (!(key1 === "audience" || key1 === "nonce")) {
                const err15 = { instancePath: instancePath + "/requestBody/receipt", schemaPath: "#/properties/requestBody/properties/receipt/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
                if (vErrors === null) {
                  vErrors = [err15];
                } else {
                  vErrors.push(err15);
                }
                errors++;
              }
            }
            if (data5.audience !== void 0 && func0.call(data5, "audience")) {
              let data6 = data5.audience;
              if (typeof data6 === "string") {
                if (!pattern9.test(data6)) {
                  const err16 = { instancePath: instancePath + "/requestBody/receipt/audience", schemaPath: "#/properties/requestBody/properties/receipt/properties/audience/pattern", keyword: "pattern", params: { pattern: "^[!-~]{1,200}$" }, message: 'must match pattern "^[!-~]{1,200}$"' };
                  if (vErrors === null) {
                    vErrors = [err16];
                  } else {
                    vErrors.push(err16);
                  }
                  errors++;
                }
              } else {
                const err17 = { instancePath: instancePath + "/requestBody/receipt/audience", schemaPath: "#/properties/requestBody/properties/receipt/properties/audience/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err17];
                } else {
                  vErrors.push(err17);
                }
                errors++;
              }
            }
            if (data5.nonce !== void 0 && func0.call(data5, "nonce")) {
              let data7 = data5.nonce;
              if (typeof data7 === "string") {
                if (!pattern9.test(data7)) {
                  const err18 = { instancePath: instancePath + "/requestBody/receipt/nonce", schemaPath: "#/properties/requestBody/properties/receipt/properties/nonce/pattern", keyword: "pattern", params: { pattern: "^[!-~]{1,200}$" }, message: 'must match pattern "^[!-~]{1,200}$"' };
                  if (vErrors === null) {
                    vErrors = [err18];
                  } else {
                    vErrors.push(err18);
                  }
                  errors++;
                }
              } else {
                const err19 = { instancePath: instancePath + "/requestBody/receipt/nonce", schemaPath: "#/properties/requestBody/properties/receipt/properties/nonce/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err19];
                } else {
                  vErrors.push(err19);
                }
                errors++;
              }
            }
          } else {
            const err20 = { instancePath: instancePath + "/requestBody/receipt", schemaPath: "#/properties/requestBody/properties/receipt/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            if (vErrors === null) {
              vErrors = [err20];
            } else {
              vErrors.push(err20);
            }
            errors++;
          }
        }
      } else {
        const err21 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err21];
        } else {
          vErrors.push(err21);
        }
        errors++;
      }
    }
  } else {
    const err22 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err22];
    } else {
      vErrors.push(err22);
    }
    errors++;
  }
  validate12.errors = vErrors;
  return errors === 0;
}
var confirmVerification = validate13;
function validate13(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.header === void 0 || !func0.call(data, "header")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "header" }, message: "must have required property 'header'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.requestBody === void 0 || !func0.call(data, "requestBody")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "requestBody" }, message: "must have required property 'requestBody'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.header !== void 0 && func0.call(data, "header")) {
      let data0 = data.header;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0["Idempotency-Key"] !== void 0 && func0.call(data0, "Idempotency-Key")) {
          let data1 = data0["Idempotency-Key"];
          if (typeof data1 === "string") {
            if (func49(data1) > 255) {
              const err2 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/maxLength", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters" };
              if (vErrors === null) {
                vErrors = [err2];
              } else {
                vErrors.push(err2);
              }
              errors++;
            }
            if (func49(data1) < 1) {
              const err3 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err3];
              } else {
                vErrors.push(err3);
              }
              errors++;
            }
            if (!pattern0.test(data1)) {
              const err4 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/pattern", keyword: "pattern", params: { pattern: "^[!-~]*$" }, message: 'must match pattern "^[!-~]*$"' };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          } else {
            const err5 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
      } else {
        const err6 = { instancePath: instancePath + "/header", schemaPath: "#/properties/header/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.requestBody !== void 0 && func0.call(data, "requestBody")) {
      let data2 = data.requestBody;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
        if (Object.keys(data2).length > 1) {
          const err7 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/maxProperties", keyword: "maxProperties", params: { limit: 1 }, message: "must NOT have more than 1 properties" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        if (Object.keys(data2).length < 1) {
          const err8 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties" };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
        for (const key0 of Object.keys(data2)) {
          if (!(key0 === "request_id" || key0 === "phone")) {
            const err9 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
        }
        if (data2.request_id !== void 0 && func0.call(data2, "request_id")) {
          let data3 = data2.request_id;
          if (typeof data3 === "string") {
            if (!pattern7.test(data3)) {
              const err10 = { instancePath: instancePath + "/requestBody/request_id", schemaPath: "#/properties/requestBody/properties/request_id/pattern", keyword: "pattern", params: { pattern: "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, message: 'must match pattern "^req_[0-9A-HJKMNP-TV-Z]{26}$"' };
              if (vErrors === null) {
                vErrors = [err10];
              } else {
                vErrors.push(err10);
              }
              errors++;
            }
          } else {
            const err11 = { instancePath: instancePath + "/requestBody/request_id", schemaPath: "#/properties/requestBody/properties/request_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data2.phone !== void 0 && func0.call(data2, "phone")) {
          let data4 = data2.phone;
          if (typeof data4 === "string") {
            if (!pattern1.test(data4)) {
              const err12 = { instancePath: instancePath + "/requestBody/phone", schemaPath: "#/properties/requestBody/properties/phone/pattern", keyword: "pattern", params: { pattern: "^\\+[1-9][0-9]{1,14}$" }, message: 'must match pattern "^\\+[1-9][0-9]{1,14}$"' };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
          } else {
            const err13 = { instancePath: instancePath + "/requestBody/phone", schemaPath: "#/properties/requestBody/properties/phone/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
      } else {
        const err14 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err14];
        } else {
          vErrors.push(err14);
        }
        errors++;
      }
    }
  } else {
    const err15 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err15];
    } else {
      vErrors.push(err15);
    }
    errors++;
  }
  validate13.errors = vErrors;
  return errors === 0;
}
var cancelVerification = validate14;
function validate14(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.header === void 0 || !func0.call(data, "header")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "header" }, message: "must have required property 'header'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.requestBody === void 0 || !func0.call(data, "requestBody")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "requestBody" }, message: "must have required property 'requestBody'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.header !== void 0 && func0.call(data, "header")) {
      let data0 = data.header;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0["Idempotency-Key"] !== void 0 && func0.call(data0, "Idempotency-Key")) {
          let data1 = data0["Idempotency-Key"];
          if (typeof data1 === "string") {
            if (func49(data1) > 255) {
              const err2 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/maxLength", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters" };
              if (vErrors === null) {
                vErrors = [err2];
              } else {
                vErrors.push(err2);
              }
              errors++;
            }
            if (func49(data1) < 1) {
              const err3 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err3];
              } else {
                vErrors.push(err3);
              }
              errors++;
            }
            if (!pattern0.test(data1)) {
              const err4 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/pattern", keyword: "pattern", params: { pattern: "^[!-~]*$" }, message: 'must match pattern "^[!-~]*$"' };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          } else {
            const err5 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
      } else {
        const err6 = { instancePath: instancePath + "/header", schemaPath: "#/properties/header/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.requestBody !== void 0 && func0.call(data, "requestBody")) {
      let data2 = data.requestBody;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
        if (data2.request_id === void 0 || !func0.call(data2, "request_id")) {
          const err7 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/required", keyword: "required", params: { missingProperty: "request_id" }, message: "must have required property 'request_id'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key0 of Object.keys(data2)) {
          if (!(key0 === "request_id")) {
            const err8 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data2.request_id !== void 0 && func0.call(data2, "request_id")) {
          let data3 = data2.request_id;
          if (typeof data3 === "string") {
            if (!pattern7.test(data3)) {
              const err9 = { instancePath: instancePath + "/requestBody/request_id", schemaPath: "#/properties/requestBody/properties/request_id/pattern", keyword: "pattern", params: { pattern: "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, message: 'must match pattern "^req_[0-9A-HJKMNP-TV-Z]{26}$"' };
              if (vErrors === null) {
                vErrors = [err9];
              } else {
                vErrors.push(err9);
              }
              errors++;
            }
          } else {
            const err10 = { instancePath: instancePath + "/requestBody/request_id", schemaPath: "#/properties/requestBody/properties/request_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
      } else {
        const err11 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err11];
        } else {
          vErrors.push(err11);
        }
        errors++;
      }
    }
  } else {
    const err12 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err12];
    } else {
      vErrors.push(err12);
    }
    errors++;
  }
  validate14.errors = vErrors;
  return errors === 0;
}
var listMessages = validate15;
var schema16 = { "type": "object", "properties": { "query": { "type": "object", "properties": { "phone": { "type": "string", "description": "A phone number in E.164 form, a plus sign and at most 15 digits. The number must be able to exist, and must not\ncharge its caller: no premium rate, shared cost, personal, pager or satellite numbers.\n\nSome phones have two numbers: mobile phones of Argentina (`+54 9 11 \u2026` and `+54 11 \u2026`), and those of Palestine with\n59 and 56 (`+970 59 \u2026` and `+972 59 \u2026`). Both count as one phone, and messages go to the number that was given.\n", "pattern": "^\\+[1-9][0-9]{1,14}$", "x-pattern-words": "must be in E.164 form: + and the country code, then the number, without spaces, like +14155550100", "example": "+14155550100" }, "status": { "type": "string", "description": "* `queued`: a notification that is accepted and is waiting, also for its `send_at`.\n* `sent`: accepted for sending, or handed to a channel. A verification starts here.\n* `delivered`: the messaging application reports that it is on the phone.\n* `read`: the messaging application reports that it was opened.\n* `failed`: failed for good; `getMessage` says why, in `error`. A late `delivered` or `read` still replaces it.\n* `expired`: the code's time ended, or the verification was cancelled, before the message was delivered; or no provider\n  had taken a notification within its `expires_in`, or it was cancelled. A late `delivered` or `read` still replaces it.\n", "enum": ["queued", "sent", "delivered", "read", "failed", "expired"], "example": "delivered" }, "kind": { "type": "string", "description": "* `verification`: the message has a one-time code.\n* `notification`: the message was made from a template.\n\nThe list may grow. If you do not know a value, use the id of the message: it was in the response to the send.\n", "x-may-grow": true, "enum": ["verification", "notification"], "example": "verification" }, "reference": { "type": "string", "description": "Your own name for a notification, such as the id of an order: letters, digits, `.`, `_`, `:`, `/` and `-`.\nSeveral notifications may have the same one. It is stored and shown unencrypted, so it must not be a phone\nnumber: a value of only 8 to 15 digits is rejected.\n", "minLength": 1, "maxLength": 128, "pattern": "^([0-9]{1,7}|[0-9]{16,}|[0-9]*[A-Za-z._:/-][A-Za-z0-9._:/-]*)$", "x-pattern-words": "must be letters, digits and . _ : / - and no phone number, as 8 to 15 digits alone may be", "example": "order-1042" }, "limit": { "type": "integer", "minimum": 1, "maximum": 100, "default": 20 }, "after": { "type": "string", "description": "`req_` and 26 characters of Crockford's base32: 48 bits of time, then 80 random bits. Ids sort by the time they\nwere made.\n", "pattern": "^req_[0-9A-HJKMNP-TV-Z]{26}$", "x-pattern-words": "must be the id of a message: req_ and 26 digits and capital letters", "example": "req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6" } }, "required": [], "additionalProperties": false } }, "required": ["query"] };
var pattern22 = new RegExp("^([0-9]{1,7}|[0-9]{16,}|[0-9]*[A-Za-z._:/-][A-Za-z0-9._:/-]*)$", "u");
function validate15(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.query === void 0 || !func0.call(data, "query")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "query" }, message: "must have required property 'query'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.query !== void 0 && func0.call(data, "query")) {
      let data0 = data.query;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0.limit === void 0) {
          data0.limit = 20;
        }
        for (const key0 of Object.keys(data0)) {
          if (!(key0 === "phone" || key0 === "status" || key0 === "kind" || key0 === "reference" || key0 === "limit" || key0 === "after")) {
            const err1 = { instancePath: instancePath + "/query", schemaPath: "#/properties/query/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err1];
            } else {
              vErrors.push(err1);
            }
            errors++;
          }
        }
        if (data0.phone !== void 0 && func0.call(data0, "phone")) {
          let data1 = data0.phone;
          if (typeof data1 === "string") {
            if (!pattern1.test(data1)) {
              const err2 = { instancePath: instancePath + "/query/phone", schemaPath: "#/properties/query/properties/phone/pattern", keyword: "pattern", params: { pattern: "^\\+[1-9][0-9]{1,14}$" }, message: 'must match pattern "^\\+[1-9][0-9]{1,14}$"' };
              if (vErrors === null) {
                vErrors = [err2];
              } else {
                vErrors.push(err2);
              }
              errors++;
            }
          } else {
            const err3 = { instancePath: instancePath + "/query/phone", schemaPath: "#/properties/query/properties/phone/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err3];
            } else {
              vErrors.push(err3);
            }
            errors++;
          }
        }
        if (data0.status !== void 0 && func0.call(data0, "status")) {
          let data2 = data0.status;
          if (typeof data2 !== "string") {
            const err4 = { instancePath: instancePath + "/query/status", schemaPath: "#/properties/query/properties/status/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err4];
            } else {
              vErrors.push(err4);
            }
            errors++;
          }
          if (!(data2 === "queued" || data2 === "sent" || data2 === "delivered" || data2 === "read" || data2 === "failed" || data2 === "expired")) {
            const err5 = { instancePath: instancePath + "/query/status", schemaPath: "#/properties/query/properties/status/enum", keyword: "enum", params: { allowedValues: schema16.properties.query.properties.status.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
        if (data0.kind !== void 0 && func0.call(data0, "kind")) {
          let data3 = data0.kind;
          if (typeof data3 !== "string") {
            const err6 = { instancePath: instancePath + "/query/kind", schemaPath: "#/properties/query/properties/kind/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err6];
            } else {
              vErrors.push(err6);
            }
            errors++;
          }
          if (!(data3 === "verification" || data3 === "notification")) {
            const err7 = { instancePath: instancePath + "/query/kind", schemaPath: "#/properties/query/properties/kind/enum", keyword: "enum", params: { allowedValues: schema16.properties.query.properties.kind.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err7];
            } else {
              vErrors.push(err7);
            }
            errors++;
          }
        }
        if (data0.reference !== void 0 && func0.call(data0, "reference")) {
          let data4 = data0.reference;
          if (typeof data4 === "string") {
            if (func49(data4) > 128) {
              const err8 = { instancePath: instancePath + "/query/reference", schemaPath: "#/properties/query/properties/reference/maxLength", keyword: "maxLength", params: { limit: 128 }, message: "must NOT have more than 128 characters" };
              if (vErrors === null) {
                vErrors = [err8];
              } else {
                vErrors.push(err8);
              }
              errors++;
            }
            if (func49(data4) < 1) {
              const err9 = { instancePath: instancePath + "/query/reference", schemaPath: "#/properties/query/properties/reference/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err9];
              } else {
                vErrors.push(err9);
              }
              errors++;
            }
            if (!pattern22.test(data4)) {
              const err10 = { instancePath: instancePath + "/query/reference", schemaPath: "#/properties/query/properties/reference/pattern", keyword: "pattern", params: { pattern: "^([0-9]{1,7}|[0-9]{16,}|[0-9]*[A-Za-z._:/-][A-Za-z0-9._:/-]*)$" }, message: 'must match pattern "^([0-9]{1,7}|[0-9]{16,}|[0-9]*[A-Za-z._:/-][A-Za-z0-9._:/-]*)$"' };
              if (vErrors === null) {
                vErrors = [err10];
              } else {
                vErrors.push(err10);
              }
              errors++;
            }
          } else {
            const err11 = { instancePath: instancePath + "/query/reference", schemaPath: "#/properties/query/properties/reference/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        let data5 = data0.limit;
        if (!(typeof data5 == "number" && (!(data5 % 1) && !isNaN(data5)) && isFinite(data5))) {
          const err12 = { instancePath: instancePath + "/query/limit", schemaPath: "#/properties/query/properties/limit/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
          if (vErrors === null) {
            vErrors = [err12];
          } else {
            vErrors.push(err12);
          }
          errors++;
        }
        if (typeof data5 == "number" && isFinite(data5)) {
          if (data5 > 100 || isNaN(data5)) {
            const err13 = { instancePath: instancePath + "/query/limit", schemaPath: "#/properties/query/properties/limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 100 }, message: "must be <= 100" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
          if (data5 < 1 || isNaN(data5)) {
            const err14 = { instancePath: instancePath + "/query/limit", schemaPath: "#/properties/query/properties/limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
            if (vErrors === null) {
              vErrors = [err14];
            } else {
              vErrors.push(err14);
            }
            errors++;
          }
        }
        if (data0.after !== void 0 && func0.call(data0, "after")) {
          let data6 = data0.after;
          if (typeof data6 === "string") {
            if (!pattern7.test(data6)) {
              const err15 = { instancePath: instancePath + "/query/after", schemaPath: "#/properties/query/properties/after/pattern", keyword: "pattern", params: { pattern: "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, message: 'must match pattern "^req_[0-9A-HJKMNP-TV-Z]{26}$"' };
              if (vErrors === null) {
                vErrors = [err15];
              } else {
                vErrors.push(err15);
              }
              errors++;
            }
          } else {
            const err16 = { instancePath: instancePath + "/query/after", schemaPath: "#/properties/query/properties/after/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err16];
            } else {
              vErrors.push(err16);
            }
            errors++;
          }
        }
      } else {
        const err17 = { instancePath: instancePath + "/query", schemaPath: "#/properties/query/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err17];
        } else {
          vErrors.push(err17);
        }
        errors++;
      }
    }
  } else {
    const err18 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err18];
    } else {
      vErrors.push(err18);
    }
    errors++;
  }
  validate15.errors = vErrors;
  return errors === 0;
}
var getMessage = validate16;
function validate16(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.path === void 0 || !func0.call(data, "path")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "path" }, message: "must have required property 'path'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.path !== void 0 && func0.call(data, "path")) {
      let data0 = data.path;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0.id === void 0 || !func0.call(data0, "id")) {
          const err1 = { instancePath: instancePath + "/path", schemaPath: "#/properties/path/required", keyword: "required", params: { missingProperty: "id" }, message: "must have required property 'id'" };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
        if (data0.id !== void 0 && func0.call(data0, "id")) {
          let data1 = data0.id;
          if (typeof data1 === "string") {
            if (!pattern7.test(data1)) {
              const err2 = { instancePath: instancePath + "/path/id", schemaPath: "#/properties/path/properties/id/pattern", keyword: "pattern", params: { pattern: "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, message: 'must match pattern "^req_[0-9A-HJKMNP-TV-Z]{26}$"' };
              if (vErrors === null) {
                vErrors = [err2];
              } else {
                vErrors.push(err2);
              }
              errors++;
            }
          } else {
            const err3 = { instancePath: instancePath + "/path/id", schemaPath: "#/properties/path/properties/id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err3];
            } else {
              vErrors.push(err3);
            }
            errors++;
          }
        }
      } else {
        const err4 = { instancePath: instancePath + "/path", schemaPath: "#/properties/path/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
  } else {
    const err5 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err5];
    } else {
      vErrors.push(err5);
    }
    errors++;
  }
  validate16.errors = vErrors;
  return errors === 0;
}
var sendNotification = validate17;
var schema18 = { "type": "object", "properties": { "header": { "type": "object", "properties": { "Idempotency-Key": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]*$", "x-pattern-words": "must have nothing but ASCII characters that can be seen, and no spaces" } }, "required": [] }, "requestBody": { "type": "object", "additionalProperties": false, "required": ["phone", "template"], "properties": { "phone": { "type": "string", "description": "A phone number in E.164 form, a plus sign and at most 15 digits. The number must be able to exist, and must not\ncharge its caller: no premium rate, shared cost, personal, pager or satellite numbers.\n\nSome phones have two numbers: mobile phones of Argentina (`+54 9 11 \u2026` and `+54 11 \u2026`), and those of Palestine with\n59 and 56 (`+970 59 \u2026` and `+972 59 \u2026`). Both count as one phone, and messages go to the number that was given.\n", "pattern": "^\\+[1-9][0-9]{1,14}$", "x-pattern-words": "must be in E.164 form: + and the country code, then the number, without spaces, like +14155550100", "example": "+14155550100" }, "template": { "type": "string", "description": "The slug of a template of the account, 1 to 64 lower-case letters, digits, `-` and `_`.", "minLength": 1, "maxLength": 64, "pattern": "^[a-z0-9][a-z0-9_-]*$", "x-pattern-words": "must be lower-case letters, digits, - and _, beginning with a letter or a digit", "example": "welcome" }, "variables": { "type": "object", "description": "A value for each variable of the template, and no others. Names are `[a-z][a-z0-9_]{0,63}`. The filled text\nhas at most 4,096 characters; a longer one gets 400 `invalid_variables`, with the detail `too_long` at\n`/variables`.\n", "maxProperties": 50, "x-max-filled-characters": 4096, "default": {}, "additionalProperties": { "description": "Text of at most 1,024 characters, a number, or a boolean. Numbers and booleans are rendered as in JSON. Numbers\nhave double precision; send longer ones as text.\n", "anyOf": [{ "type": "string", "maxLength": 1024 }, { "type": "number" }, { "type": "boolean" }], "example": "Ada" }, "example": { "name": "Ada" } }, "locale": { "type": "string", "description": "The language of the template to use: a BCP 47 tag, like `de` or `pt-BR`, as browsers and phones name it;\n`pt_BR` and `pt_BR.UTF-8` are accepted as well. If the template does not have that variant, the language\nitself is used, or else another variant of it; if it does not have the language, or this names none, its\ndefault language. The response says which one was chosen.\n", "maxLength": 200, "example": "pt-BR" }, "reference": { "type": "string", "description": "Your own name for a notification, such as the id of an order: letters, digits, `.`, `_`, `:`, `/` and `-`.\nSeveral notifications may have the same one. It is stored and shown unencrypted, so it must not be a phone\nnumber: a value of only 8 to 15 digits is rejected.\n", "minLength": 1, "maxLength": 128, "pattern": "^([0-9]{1,7}|[0-9]{16,}|[0-9]*[A-Za-z._:/-][A-Za-z0-9._:/-]*)$", "x-pattern-words": "must be letters, digits and . _ : / - and no phone number, as 8 to 15 digits alone may be", "example": "order-1042" }, "send_at": { "type": "string", "format": "date-time", "description": "When to send it, at most 30 days ahead, or fewer if the operator keeps messages for less time. It is sent\nwithin a few seconds of that. A time within the last minute means now; an earlier one is rejected.\n", "maxLength": 40, "example": "2026-11-28T08:00:00Z" }, "expires_in": { "type": "integer", "description": "Seconds, from `send_at` or from now, for which the notification is worth sending. After that it is no longer\nhanded to a provider, and ends as `expired`. A provider that has already accepted it still delivers it.\nWithout this field it does not expire.\n", "minimum": 30, "maximum": 604800, "example": 3600 }, "channels": { "type": "array", "description": "The only kinds of channels that may carry it, in this order: if one cannot send it, the next one tries. Channels\nof the same kind follow the order of the account. A kind that the account does not have, or that cannot carry\nthis message, is skipped; if none is left, the response is 403 `no_channel`, and `details` says why. Without\nthis field, all channels of the account may carry it, in its order. With a test key, the sandbox carries it.\n", "minItems": 1, "maxItems": 8, "uniqueItems": true, "items": { "type": "string", "description": "The kind of a channel:\n\n* `whatsapp`: WhatsApp, through Meta's Cloud API.\n* `telegram`: the Telegram Gateway, for codes.\n* `sms`: an SMS provider.\n* `http`: the operator's own gateway.\n* `sandbox`: the simulated phone. Test keys use no other channel.\n\nThe list may grow.\n", "x-may-grow": true, "enum": ["whatsapp", "telegram", "sms", "http", "sandbox"], "example": "sms" }, "example": ["whatsapp", "sms"] } } } }, "required": ["header", "requestBody"] };
var pattern27 = new RegExp("^[a-z0-9][a-z0-9_-]*$", "u");
var formats2 = require_formats().fullFormats["date-time"];
function validate17(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.header === void 0 || !func0.call(data, "header")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "header" }, message: "must have required property 'header'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.requestBody === void 0 || !func0.call(data, "requestBody")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "requestBody" }, message: "must have required property 'requestBody'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.header !== void 0 && func0.call(data, "header")) {
      let data0 = data.header;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0["Idempotency-Key"] !== void 0 && func0.call(data0, "Idempotency-Key")) {
          let data1 = data0["Idempotency-Key"];
          if (typeof data1 === "string") {
            if (func49(data1) > 255) {
              const err2 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/maxLength", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters" };
              if (vErrors === null) {
                vErrors = [err2];
              } else {
                vErrors.push(err2);
              }
              errors++;
            }
            if (func49(data1) < 1) {
              const err3 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err3];
              } else {
                vErrors.push(err3);
              }
              errors++;
            }
            if (!pattern0.test(data1)) {
              const err4 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/pattern", keyword: "pattern", params: { pattern: "^[!-~]*$" }, message: 'must match pattern "^[!-~]*$"' };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          } else {
            const err5 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
      } else {
        const err6 = { instancePath: instancePath + "/header", schemaPath: "#/properties/header/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.requestBody !== void 0 && func0.call(data, "requestBody")) {
      let data2 = data.requestBody;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
        if (data2.variables === void 0) {
          data2.variables = {};
        }
        if (data2.phone === void 0 || !func0.call(data2, "phone")) {
          const err7 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/required", keyword: "required", params: { missingProperty: "phone" }, message: "must have required property 'phone'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        if (data2.template === void 0 || !func0.call(data2, "template")) {
          const err8 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/required", keyword: "required", params: { missingProperty: "template" }, message: "must have required property 'template'" };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
        for (const key0 of Object.keys(data2)) {
          if (!(key0 === "phone" || key0 === "template" || key0 === "variables" || key0 === "locale" || key0 === "reference" || key0 === "send_at" || key0 === "expires_in" || key0 === "channels")) {
            const err9 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
        }
        if (data2.phone !== void 0 && func0.call(data2, "phone")) {
          let data3 = data2.phone;
          if (typeof data3 === "string") {
            if (!pattern1.test(data3)) {
              const err10 = { instancePath: instancePath + "/requestBody/phone", schemaPath: "#/properties/requestBody/properties/phone/pattern", keyword: "pattern", params: { pattern: "^\\+[1-9][0-9]{1,14}$" }, message: 'must match pattern "^\\+[1-9][0-9]{1,14}$"' };
              if (vErrors === null) {
                vErrors = [err10];
              } else {
                vErrors.push(err10);
              }
              errors++;
            }
          } else {
            const err11 = { instancePath: instancePath + "/requestBody/phone", schemaPath: "#/properties/requestBody/properties/phone/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data2.template !== void 0 && func0.call(data2, "template")) {
          let data4 = data2.template;
          if (typeof data4 === "string") {
            if (func49(data4) > 64) {
              const err12 = { instancePath: instancePath + "/requestBody/template", schemaPath: "#/properties/requestBody/properties/template/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
            if (func49(data4) < 1) {
              const err13 = { instancePath: instancePath + "/requestBody/template", schemaPath: "#/properties/requestBody/properties/template/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err13];
              } else {
                vErrors.push(err13);
              }
              errors++;
            }
            if (!pattern27.test(data4)) {
              const err14 = { instancePath: instancePath + "/requestBody/template", schemaPath: "#/properties/requestBody/properties/template/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9][a-z0-9_-]*$" }, message: 'must match pattern "^[a-z0-9][a-z0-9_-]*$"' };
              if (vErrors === null) {
                vErrors = [err14];
              } else {
                vErrors.push(err14);
              }
              errors++;
            }
          } else {
            const err15 = { instancePath: instancePath + "/requestBody/template", schemaPath: "#/properties/requestBody/properties/template/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err15];
            } else {
              vErrors.push(err15);
            }
            errors++;
          }
        }
        let data5 = data2.variables;
        if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
          if (Object.keys(data5).length > 50) {
            const err16 = { instancePath: instancePath + "/requestBody/variables", schemaPath: "#/properties/requestBody/properties/variables/maxProperties", keyword: "maxProperties", params: { limit: 50 }, message: "must NOT have more than 50 properties" };
            if (vErrors === null) {
              vErrors = [err16];
            } else {
              vErrors.push(err16);
            }
            errors++;
          }
          for (const key1 of Object.keys(data5)) {
            let data6 = data5[key1];
            const _errs16 = errors;
            let valid4 = false;
            const _errs17 = errors;
            if (typeof data6 === "string") {
              if (func49(data6) > 1024) {
                const err17 = { instancePath: instancePath + "/requestBody/variables/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/requestBody/properties/variables/additionalProperties/anyOf/0/maxLength", keyword: "maxLength", params: { limit: 1024 }, message: "must NOT have more than 1024 characters" };
                if (vErrors === null) {
                  vErrors = [err17];
                } else {
                  vErrors.push(err17);
                }
                errors++;
              }
            } else {
              const err18 = { instancePath: instancePath + "/requestBody/variables/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/requestBody/properties/variables/additionalProperties/anyOf/0/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              if (vErrors === null) {
                vErrors = [err18];
              } else {
                vErrors.push(err18);
              }
              errors++;
            }
            var _valid0 = _errs17 === errors;
            valid4 = valid4 || _valid0;
            if (!valid4) {
              const _errs19 = errors;
              if (!(typeof data6 == "number" && isFinite(data6))) {
                const err19 = { instancePath: instancePath + "/requestBody/variables/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/requestBody/properties/variables/additionalProperties/anyOf/1/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                if (vErrors === null) {
                  vErrors = [err19];
                } else {
                  vErrors.push(err19);
                }
                errors++;
              }
              var _valid0 = _errs19 === errors;
              valid4 = valid4 || _valid0;
              if (!valid4) {
                const _errs21 = errors;
                if (typeof data6 !== "boolean") {
                  const err20 = { instancePath: instancePath + "/requestBody/variables/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/requestBody/properties/variables/additionalProperties/anyOf/2/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                  if (vErrors === null) {
                    vErrors = [err20];
                  } else {
                    vErrors.push(err20);
                  }
                  errors++;
                }
                var _valid0 = _errs21 === errors;
                valid4 = valid4 || _valid0;
              }
            }
            if (!valid4) {
              const err21 = { instancePath: instancePath + "/requestBody/variables/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/requestBody/properties/variables/additionalProperties/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
              if (vErrors === null) {
                vErrors = [err21];
              } else {
                vErrors.push(err21);
              }
              errors++;
            } else {
              errors = _errs16;
              if (vErrors !== null) {
                if (_errs16) {
                  vErrors.length = _errs16;
                } else {
                  vErrors = null;
                }
              }
            }
          }
        } else {
          const err22 = { instancePath: instancePath + "/requestBody/variables", schemaPath: "#/properties/requestBody/properties/variables/type", keyword: "type", params: { type: "object" }, message: "must be object" };
          if (vErrors === null) {
            vErrors = [err22];
          } else {
            vErrors.push(err22);
          }
          errors++;
        }
        if (data2.locale !== void 0 && func0.call(data2, "locale")) {
          let data7 = data2.locale;
          if (typeof data7 === "string") {
            if (func49(data7) > 200) {
              const err23 = { instancePath: instancePath + "/requestBody/locale", schemaPath: "#/properties/requestBody/properties/locale/maxLength", keyword: "maxLength", params: { limit: 200 }, message: "must NOT have more than 200 characters" };
              if (vErrors === null) {
                vErrors = [err23];
              } else {
                vErrors.push(err23);
              }
              errors++;
            }
          } else {
            const err24 = { instancePath: instancePath + "/requestBody/locale", schemaPath: "#/properties/requestBody/properties/locale/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err24];
            } else {
              vErrors.push(err24);
            }
            errors++;
          }
        }
        if (data2.reference !== void 0 && func0.call(data2, "reference")) {
          let data8 = data2.reference;
          if (typeof data8 === "string") {
            if (func49(data8) > 128) {
              const err25 = { instancePath: instancePath + "/requestBody/reference", schemaPath: "#/properties/requestBody/properties/reference/maxLength", keyword: "maxLength", params: { limit: 128 }, message: "must NOT have more than 128 characters" };
              if (vErrors === null) {
                vErrors = [err25];
              } else {
                vErrors.push(err25);
              }
              errors++;
            }
            if (func49(data8) < 1) {
              const err26 = { instancePath: instancePath + "/requestBody/reference", schemaPath: "#/properties/requestBody/properties/reference/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err26];
              } else {
                vErrors.push(err26);
              }
              errors++;
            }
            if (!pattern22.test(data8)) {
              const err27 = { instancePath: instancePath + "/requestBody/reference", schemaPath: "#/properties/requestBody/properties/reference/pattern", keyword: "pattern", params: { pattern: "^([0-9]{1,7}|[0-9]{16,}|[0-9]*[A-Za-z._:/-][A-Za-z0-9._:/-]*)$" }, message: 'must match pattern "^([0-9]{1,7}|[0-9]{16,}|[0-9]*[A-Za-z._:/-][A-Za-z0-9._:/-]*)$"' };
              if (vErrors === null) {
                vErrors = [err27];
              } else {
                vErrors.push(err27);
              }
              errors++;
            }
          } else {
            const err28 = { instancePath: instancePath + "/requestBody/reference", schemaPath: "#/properties/requestBody/properties/reference/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err28];
            } else {
              vErrors.push(err28);
            }
            errors++;
          }
        }
        if (data2.send_at !== void 0 && func0.call(data2, "send_at")) {
          let data9 = data2.send_at;
          if (typeof data9 === "string") {
            if (func49(data9) > 40) {
              const err29 = { instancePath: instancePath + "/requestBody/send_at", schemaPath: "#/properties/requestBody/properties/send_at/maxLength", keyword: "maxLength", params: { limit: 40 }, message: "must NOT have more than 40 characters" };
              if (vErrors === null) {
                vErrors = [err29];
              } else {
                vErrors.push(err29);
              }
              errors++;
            }
            if (!formats2.validate(data9)) {
              const err30 = { instancePath: instancePath + "/requestBody/send_at", schemaPath: "#/properties/requestBody/properties/send_at/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
              if (vErrors === null) {
                vErrors = [err30];
              } else {
                vErrors.push(err30);
              }
              errors++;
            }
          } else {
            const err31 = { instancePath: instancePath + "/requestBody/send_at", schemaPath: "#/properties/requestBody/properties/send_at/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err31];
            } else {
              vErrors.push(err31);
            }
            errors++;
          }
        }
        if (data2.expires_in !== void 0 && func0.call(data2, "expires_in")) {
          let data10 = data2.expires_in;
          if (!(typeof data10 == "number" && (!(data10 % 1) && !isNaN(data10)) && isFinite(data10))) {
            const err32 = { instancePath: instancePath + "/requestBody/expires_in", schemaPath: "#/properties/requestBody/properties/expires_in/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            if (vErrors === null) {
              vErrors = [err32];
            } else {
              vErrors.push(err32);
            }
            errors++;
          }
          if (typeof data10 == "number" && isFinite(data10)) {
            if (data10 > 604800 || isNaN(data10)) {
              const err33 = { instancePath: instancePath + "/requestBody/expires_in", schemaPath: "#/properties/requestBody/properties/expires_in/maximum", keyword: "maximum", params: { comparison: "<=", limit: 604800 }, message: "must be <= 604800" };
              if (vErrors === null) {
                vErrors = [err33];
              } else {
                vErrors.push(err33);
              }
              errors++;
            }
            if (data10 < 30 || isNaN(data10)) {
              const err34 = { instancePath: instancePath + "/requestBody/expires_in", schemaPath: "#/properties/requestBody/properties/expires_in/minimum", keyword: "minimum", params: { comparison: ">=", limit: 30 }, message: "must be >= 30" };
              if (vErrors === null) {
                vErrors = [err34];
              } else {
                vErrors.push(err34);
              }
              errors++;
            }
          }
        }
        if (data2.channels !== void 0 && func0.call(data2, "channels")) {
          let data11 = data2.channels;
          if (Array.isArray(data11)) {
            if (data11.length > 8) {
              const err35 = { instancePath: instancePath + "/requestBody/channels", schemaPath: "#/properties/requestBody/properties/channels/maxItems", keyword: "maxItems", params: { limit: 8 }, message: "must NOT have more than 8 items" };
              if (vErrors === null) {
                vErrors = [err35];
              } else {
                vErrors.push(err35);
              }
              errors++;
            }
            if (data11.length < 1) {
              const err36 = { instancePath: instancePath + "/requestBody/channels", schemaPath: "#/properties/requestBody/properties/channels/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
              if (vErrors === null) {
                vErrors = [err36];
              } else {
                vErrors.push(err36);
              }
              errors++;
            }
            const len0 = data11.length;
            for (let i0 = 0; i0 < len0; i0++) {
              let data12 = data11[i0];
              if (typeof data12 !== "string") {
                const err37 = { instancePath: instancePath + "/requestBody/channels/" + i0, schemaPath: "#/properties/requestBody/properties/channels/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err37];
                } else {
                  vErrors.push(err37);
                }
                errors++;
              }
              if (!(data12 === "whatsapp" || data12 === "telegram" || data12 === "sms" || data12 === "http" || data12 === "sandbox")) {
                const err38 = { instancePath: instancePath + "/requestBody/channels/" + i0, schemaPath: "#/properties/requestBody/properties/channels/items/enum", keyword: "enum", params: { allowedValues: schema18.properties.requestBody.properties.channels.items.enum }, message: "must be equal to one of the allowed values" };
                if (vErrors === null) {
                  vErrors = [err38];
                } else {
                  vErrors.push(err38);
                }
                errors++;
              }
            }
            let i1 = data11.length;
            let j0;
            if (i1 > 1) {
              const indices0 = {};
              for (; i1--; ) {
                let item0 = data11[i1];
                if (typeof item0 !== "string") {
                  continue;
                }
                if (typeof indices0[item0] == "number") {
                  j0 = indices0[item0];
                  const err39 = { instancePath: instancePath + "/requestBody/channels", schemaPath: "#/properties/requestBody/properties/channels/uniqueItems", keyword: "uniqueItems", params: { i: i1, j: j0 }, message: "must NOT have duplicate items (items ## " + j0 + " and " + i1 + " are identical)" };
                  if (vErrors === null) {
                    vErrors = [err39];
                  } else {
                    vErrors.push(err39);
                  }
                  errors++;
                  break;
                }
                indices0[item0] = i1;
              }
            }
          } else {
            const err40 = { instancePath: instancePath + "/requestBody/channels", schemaPath: "#/properties/requestBody/properties/channels/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            if (vErrors === null) {
              vErrors = [err40];
            } else {
              vErrors.push(err40);
            }
            errors++;
          }
        }
      } else {
        const err41 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err41];
        } else {
          vErrors.push(err41);
        }
        errors++;
      }
    }
  } else {
    const err42 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err42];
    } else {
      vErrors.push(err42);
    }
    errors++;
  }
  validate17.errors = vErrors;
  return errors === 0;
}
var cancelNotification = validate18;
function validate18(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.header === void 0 || !func0.call(data, "header")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "header" }, message: "must have required property 'header'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.requestBody === void 0 || !func0.call(data, "requestBody")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "requestBody" }, message: "must have required property 'requestBody'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.header !== void 0 && func0.call(data, "header")) {
      let data0 = data.header;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0["Idempotency-Key"] !== void 0 && func0.call(data0, "Idempotency-Key")) {
          let data1 = data0["Idempotency-Key"];
          if (typeof data1 === "string") {
            if (func49(data1) > 255) {
              const err2 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/maxLength", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters" };
              if (vErrors === null) {
                vErrors = [err2];
              } else {
                vErrors.push(err2);
              }
              errors++;
            }
            if (func49(data1) < 1) {
              const err3 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err3];
              } else {
                vErrors.push(err3);
              }
              errors++;
            }
            if (!pattern0.test(data1)) {
              const err4 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/pattern", keyword: "pattern", params: { pattern: "^[!-~]*$" }, message: 'must match pattern "^[!-~]*$"' };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          } else {
            const err5 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
      } else {
        const err6 = { instancePath: instancePath + "/header", schemaPath: "#/properties/header/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.requestBody !== void 0 && func0.call(data, "requestBody")) {
      let data2 = data.requestBody;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
        if (data2.request_id === void 0 || !func0.call(data2, "request_id")) {
          const err7 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/required", keyword: "required", params: { missingProperty: "request_id" }, message: "must have required property 'request_id'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key0 of Object.keys(data2)) {
          if (!(key0 === "request_id")) {
            const err8 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data2.request_id !== void 0 && func0.call(data2, "request_id")) {
          let data3 = data2.request_id;
          if (typeof data3 === "string") {
            if (!pattern7.test(data3)) {
              const err9 = { instancePath: instancePath + "/requestBody/request_id", schemaPath: "#/properties/requestBody/properties/request_id/pattern", keyword: "pattern", params: { pattern: "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, message: 'must match pattern "^req_[0-9A-HJKMNP-TV-Z]{26}$"' };
              if (vErrors === null) {
                vErrors = [err9];
              } else {
                vErrors.push(err9);
              }
              errors++;
            }
          } else {
            const err10 = { instancePath: instancePath + "/requestBody/request_id", schemaPath: "#/properties/requestBody/properties/request_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
      } else {
        const err11 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err11];
        } else {
          vErrors.push(err11);
        }
        errors++;
      }
    }
  } else {
    const err12 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err12];
    } else {
      vErrors.push(err12);
    }
    errors++;
  }
  validate18.errors = vErrors;
  return errors === 0;
}
var previewNotification = validate19;
var schema20 = { "type": "object", "properties": { "header": { "type": "object", "properties": { "Idempotency-Key": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]*$", "x-pattern-words": "must have nothing but ASCII characters that can be seen, and no spaces" } }, "required": [] }, "requestBody": { "type": "object", "additionalProperties": false, "required": ["phone", "template"], "properties": { "phone": { "type": "string", "description": "A phone number in E.164 form, a plus sign and at most 15 digits. The number must be able to exist, and must not\ncharge its caller: no premium rate, shared cost, personal, pager or satellite numbers.\n\nSome phones have two numbers: mobile phones of Argentina (`+54 9 11 \u2026` and `+54 11 \u2026`), and those of Palestine with\n59 and 56 (`+970 59 \u2026` and `+972 59 \u2026`). Both count as one phone, and messages go to the number that was given.\n", "pattern": "^\\+[1-9][0-9]{1,14}$", "x-pattern-words": "must be in E.164 form: + and the country code, then the number, without spaces, like +14155550100", "example": "+14155550100" }, "template": { "type": "string", "description": "The slug of a template of the account, 1 to 64 lower-case letters, digits, `-` and `_`.", "minLength": 1, "maxLength": 64, "pattern": "^[a-z0-9][a-z0-9_-]*$", "x-pattern-words": "must be lower-case letters, digits, - and _, beginning with a letter or a digit", "example": "welcome" }, "variables": { "type": "object", "description": "A value for each variable of the template, and no others. Names are `[a-z][a-z0-9_]{0,63}`. The filled text\nhas at most 4,096 characters; a longer one gets 400 `invalid_variables`, with the detail `too_long` at\n`/variables`.\n", "maxProperties": 50, "x-max-filled-characters": 4096, "default": {}, "additionalProperties": { "description": "Text of at most 1,024 characters, a number, or a boolean. Numbers and booleans are rendered as in JSON. Numbers\nhave double precision; send longer ones as text.\n", "anyOf": [{ "type": "string", "maxLength": 1024 }, { "type": "number" }, { "type": "boolean" }], "example": "Ada" }, "example": { "name": "Ada" } }, "locale": { "type": "string", "description": "The language of the template to use: a BCP 47 tag, like `de` or `pt-BR`, as browsers and phones name it;\n`pt_BR` and `pt_BR.UTF-8` are accepted as well. If the template does not have that variant, the language\nitself is used, or else another variant of it; if it does not have the language, or this names none, its\ndefault language. The response says which one was chosen.\n", "maxLength": 200, "example": "pt-BR" }, "reference": { "type": "string", "description": "Your own name for a notification, such as the id of an order: letters, digits, `.`, `_`, `:`, `/` and `-`.\nSeveral notifications may have the same one. It is stored and shown unencrypted, so it must not be a phone\nnumber: a value of only 8 to 15 digits is rejected.\n", "minLength": 1, "maxLength": 128, "pattern": "^([0-9]{1,7}|[0-9]{16,}|[0-9]*[A-Za-z._:/-][A-Za-z0-9._:/-]*)$", "x-pattern-words": "must be letters, digits and . _ : / - and no phone number, as 8 to 15 digits alone may be", "example": "order-1042" }, "send_at": { "type": "string", "format": "date-time", "description": "When to send it, at most 30 days ahead, or fewer if the operator keeps messages for less time. It is sent\nwithin a few seconds of that. A time within the last minute means now; an earlier one is rejected.\n", "maxLength": 40, "example": "2026-11-28T08:00:00Z" }, "expires_in": { "type": "integer", "description": "Seconds, from `send_at` or from now, for which the notification is worth sending. After that it is no longer\nhanded to a provider, and ends as `expired`. A provider that has already accepted it still delivers it.\nWithout this field it does not expire.\n", "minimum": 30, "maximum": 604800, "example": 3600 }, "channels": { "type": "array", "description": "The only kinds of channels that may carry it, in this order: if one cannot send it, the next one tries. Channels\nof the same kind follow the order of the account. A kind that the account does not have, or that cannot carry\nthis message, is skipped; if none is left, the response is 403 `no_channel`, and `details` says why. Without\nthis field, all channels of the account may carry it, in its order. With a test key, the sandbox carries it.\n", "minItems": 1, "maxItems": 8, "uniqueItems": true, "items": { "type": "string", "description": "The kind of a channel:\n\n* `whatsapp`: WhatsApp, through Meta's Cloud API.\n* `telegram`: the Telegram Gateway, for codes.\n* `sms`: an SMS provider.\n* `http`: the operator's own gateway.\n* `sandbox`: the simulated phone. Test keys use no other channel.\n\nThe list may grow.\n", "x-may-grow": true, "enum": ["whatsapp", "telegram", "sms", "http", "sandbox"], "example": "sms" }, "example": ["whatsapp", "sms"] } } } }, "required": ["header", "requestBody"] };
function validate19(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.header === void 0 || !func0.call(data, "header")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "header" }, message: "must have required property 'header'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.requestBody === void 0 || !func0.call(data, "requestBody")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "requestBody" }, message: "must have required property 'requestBody'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.header !== void 0 && func0.call(data, "header")) {
      let data0 = data.header;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0["Idempotency-Key"] !== void 0 && func0.call(data0, "Idempotency-Key")) {
          let data1 = data0["Idempotency-Key"];
          if (typeof data1 === "string") {
            if (func49(data1) > 255) {
              const err2 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/maxLength", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters" };
              if (vErrors === null) {
                vErrors = [err2];
              } else {
                vErrors.push(err2);
              }
              errors++;
            }
            if (func49(data1) < 1) {
              const err3 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err3];
              } else {
                vErrors.push(err3);
              }
              errors++;
            }
            if (!pattern0.test(data1)) {
              const err4 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/pattern", keyword: "pattern", params: { pattern: "^[!-~]*$" }, message: 'must match pattern "^[!-~]*$"' };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          } else {
            const err5 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
      } else {
        const err6 = { instancePath: instancePath + "/header", schemaPath: "#/properties/header/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.requestBody !== void 0 && func0.call(data, "requestBody")) {
      let data2 = data.requestBody;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
        if (data2.variables === void 0) {
          data2.variables = {};
        }
        if (data2.phone === void 0 || !func0.call(data2, "phone")) {
          const err7 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/required", keyword: "required", params: { missingProperty: "phone" }, message: "must have required property 'phone'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        if (data2.template === void 0 || !func0.call(data2, "template")) {
          const err8 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/required", keyword: "required", params: { missingProperty: "template" }, message: "must have required property 'template'" };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
        for (const key0 of Object.keys(data2)) {
          if (!(key0 === "phone" || key0 === "template" || key0 === "variables" || key0 === "locale" || key0 === "reference" || key0 === "send_at" || key0 === "expires_in" || key0 === "channels")) {
            const err9 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
        }
        if (data2.phone !== void 0 && func0.call(data2, "phone")) {
          let data3 = data2.phone;
          if (typeof data3 === "string") {
            if (!pattern1.test(data3)) {
              const err10 = { instancePath: instancePath + "/requestBody/phone", schemaPath: "#/properties/requestBody/properties/phone/pattern", keyword: "pattern", params: { pattern: "^\\+[1-9][0-9]{1,14}$" }, message: 'must match pattern "^\\+[1-9][0-9]{1,14}$"' };
              if (vErrors === null) {
                vErrors = [err10];
              } else {
                vErrors.push(err10);
              }
              errors++;
            }
          } else {
            const err11 = { instancePath: instancePath + "/requestBody/phone", schemaPath: "#/properties/requestBody/properties/phone/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data2.template !== void 0 && func0.call(data2, "template")) {
          let data4 = data2.template;
          if (typeof data4 === "string") {
            if (func49(data4) > 64) {
              const err12 = { instancePath: instancePath + "/requestBody/template", schemaPath: "#/properties/requestBody/properties/template/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
            if (func49(data4) < 1) {
              const err13 = { instancePath: instancePath + "/requestBody/template", schemaPath: "#/properties/requestBody/properties/template/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err13];
              } else {
                vErrors.push(err13);
              }
              errors++;
            }
            if (!pattern27.test(data4)) {
              const err14 = { instancePath: instancePath + "/requestBody/template", schemaPath: "#/properties/requestBody/properties/template/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9][a-z0-9_-]*$" }, message: 'must match pattern "^[a-z0-9][a-z0-9_-]*$"' };
              if (vErrors === null) {
                vErrors = [err14];
              } else {
                vErrors.push(err14);
              }
              errors++;
            }
          } else {
            const err15 = { instancePath: instancePath + "/requestBody/template", schemaPath: "#/properties/requestBody/properties/template/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err15];
            } else {
              vErrors.push(err15);
            }
            errors++;
          }
        }
        let data5 = data2.variables;
        if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
          if (Object.keys(data5).length > 50) {
            const err16 = { instancePath: instancePath + "/requestBody/variables", schemaPath: "#/properties/requestBody/properties/variables/maxProperties", keyword: "maxProperties", params: { limit: 50 }, message: "must NOT have more than 50 properties" };
            if (vErrors === null) {
              vErrors = [err16];
            } else {
              vErrors.push(err16);
            }
            errors++;
          }
          for (const key1 of Object.keys(data5)) {
            let data6 = data5[key1];
            const _errs16 = errors;
            let valid4 = false;
            const _errs17 = errors;
            if (typeof data6 === "string") {
              if (func49(data6) > 1024) {
                const err17 = { instancePath: instancePath + "/requestBody/variables/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/requestBody/properties/variables/additionalProperties/anyOf/0/maxLength", keyword: "maxLength", params: { limit: 1024 }, message: "must NOT have more than 1024 characters" };
                if (vErrors === null) {
                  vErrors = [err17];
                } else {
                  vErrors.push(err17);
                }
                errors++;
              }
            } else {
              const err18 = { instancePath: instancePath + "/requestBody/variables/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/requestBody/properties/variables/additionalProperties/anyOf/0/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              if (vErrors === null) {
                vErrors = [err18];
              } else {
                vErrors.push(err18);
              }
              errors++;
            }
            var _valid0 = _errs17 === errors;
            valid4 = valid4 || _valid0;
            if (!valid4) {
              const _errs19 = errors;
              if (!(typeof data6 == "number" && isFinite(data6))) {
                const err19 = { instancePath: instancePath + "/requestBody/variables/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/requestBody/properties/variables/additionalProperties/anyOf/1/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                if (vErrors === null) {
                  vErrors = [err19];
                } else {
                  vErrors.push(err19);
                }
                errors++;
              }
              var _valid0 = _errs19 === errors;
              valid4 = valid4 || _valid0;
              if (!valid4) {
                const _errs21 = errors;
                if (typeof data6 !== "boolean") {
                  const err20 = { instancePath: instancePath + "/requestBody/variables/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/requestBody/properties/variables/additionalProperties/anyOf/2/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                  if (vErrors === null) {
                    vErrors = [err20];
                  } else {
                    vErrors.push(err20);
                  }
                  errors++;
                }
                var _valid0 = _errs21 === errors;
                valid4 = valid4 || _valid0;
              }
            }
            if (!valid4) {
              const err21 = { instancePath: instancePath + "/requestBody/variables/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/requestBody/properties/variables/additionalProperties/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
              if (vErrors === null) {
                vErrors = [err21];
              } else {
                vErrors.push(err21);
              }
              errors++;
            } else {
              errors = _errs16;
              if (vErrors !== null) {
                if (_errs16) {
                  vErrors.length = _errs16;
                } else {
                  vErrors = null;
                }
              }
            }
          }
        } else {
          const err22 = { instancePath: instancePath + "/requestBody/variables", schemaPath: "#/properties/requestBody/properties/variables/type", keyword: "type", params: { type: "object" }, message: "must be object" };
          if (vErrors === null) {
            vErrors = [err22];
          } else {
            vErrors.push(err22);
          }
          errors++;
        }
        if (data2.locale !== void 0 && func0.call(data2, "locale")) {
          let data7 = data2.locale;
          if (typeof data7 === "string") {
            if (func49(data7) > 200) {
              const err23 = { instancePath: instancePath + "/requestBody/locale", schemaPath: "#/properties/requestBody/properties/locale/maxLength", keyword: "maxLength", params: { limit: 200 }, message: "must NOT have more than 200 characters" };
              if (vErrors === null) {
                vErrors = [err23];
              } else {
                vErrors.push(err23);
              }
              errors++;
            }
          } else {
            const err24 = { instancePath: instancePath + "/requestBody/locale", schemaPath: "#/properties/requestBody/properties/locale/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err24];
            } else {
              vErrors.push(err24);
            }
            errors++;
          }
        }
        if (data2.reference !== void 0 && func0.call(data2, "reference")) {
          let data8 = data2.reference;
          if (typeof data8 === "string") {
            if (func49(data8) > 128) {
              const err25 = { instancePath: instancePath + "/requestBody/reference", schemaPath: "#/properties/requestBody/properties/reference/maxLength", keyword: "maxLength", params: { limit: 128 }, message: "must NOT have more than 128 characters" };
              if (vErrors === null) {
                vErrors = [err25];
              } else {
                vErrors.push(err25);
              }
              errors++;
            }
            if (func49(data8) < 1) {
              const err26 = { instancePath: instancePath + "/requestBody/reference", schemaPath: "#/properties/requestBody/properties/reference/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err26];
              } else {
                vErrors.push(err26);
              }
              errors++;
            }
            if (!pattern22.test(data8)) {
              const err27 = { instancePath: instancePath + "/requestBody/reference", schemaPath: "#/properties/requestBody/properties/reference/pattern", keyword: "pattern", params: { pattern: "^([0-9]{1,7}|[0-9]{16,}|[0-9]*[A-Za-z._:/-][A-Za-z0-9._:/-]*)$" }, message: 'must match pattern "^([0-9]{1,7}|[0-9]{16,}|[0-9]*[A-Za-z._:/-][A-Za-z0-9._:/-]*)$"' };
              if (vErrors === null) {
                vErrors = [err27];
              } else {
                vErrors.push(err27);
              }
              errors++;
            }
          } else {
            const err28 = { instancePath: instancePath + "/requestBody/reference", schemaPath: "#/properties/requestBody/properties/reference/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err28];
            } else {
              vErrors.push(err28);
            }
            errors++;
          }
        }
        if (data2.send_at !== void 0 && func0.call(data2, "send_at")) {
          let data9 = data2.send_at;
          if (typeof data9 === "string") {
            if (func49(data9) > 40) {
              const err29 = { instancePath: instancePath + "/requestBody/send_at", schemaPath: "#/properties/requestBody/properties/send_at/maxLength", keyword: "maxLength", params: { limit: 40 }, message: "must NOT have more than 40 characters" };
              if (vErrors === null) {
                vErrors = [err29];
              } else {
                vErrors.push(err29);
              }
              errors++;
            }
            if (!formats2.validate(data9)) {
              const err30 = { instancePath: instancePath + "/requestBody/send_at", schemaPath: "#/properties/requestBody/properties/send_at/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
              if (vErrors === null) {
                vErrors = [err30];
              } else {
                vErrors.push(err30);
              }
              errors++;
            }
          } else {
            const err31 = { instancePath: instancePath + "/requestBody/send_at", schemaPath: "#/properties/requestBody/properties/send_at/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err31];
            } else {
              vErrors.push(err31);
            }
            errors++;
          }
        }
        if (data2.expires_in !== void 0 && func0.call(data2, "expires_in")) {
          let data10 = data2.expires_in;
          if (!(typeof data10 == "number" && (!(data10 % 1) && !isNaN(data10)) && isFinite(data10))) {
            const err32 = { instancePath: instancePath + "/requestBody/expires_in", schemaPath: "#/properties/requestBody/properties/expires_in/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            if (vErrors === null) {
              vErrors = [err32];
            } else {
              vErrors.push(err32);
            }
            errors++;
          }
          if (typeof data10 == "number" && isFinite(data10)) {
            if (data10 > 604800 || isNaN(data10)) {
              const err33 = { instancePath: instancePath + "/requestBody/expires_in", schemaPath: "#/properties/requestBody/properties/expires_in/maximum", keyword: "maximum", params: { comparison: "<=", limit: 604800 }, message: "must be <= 604800" };
              if (vErrors === null) {
                vErrors = [err33];
              } else {
                vErrors.push(err33);
              }
              errors++;
            }
            if (data10 < 30 || isNaN(data10)) {
              const err34 = { instancePath: instancePath + "/requestBody/expires_in", schemaPath: "#/properties/requestBody/properties/expires_in/minimum", keyword: "minimum", params: { comparison: ">=", limit: 30 }, message: "must be >= 30" };
              if (vErrors === null) {
                vErrors = [err34];
              } else {
                vErrors.push(err34);
              }
              errors++;
            }
          }
        }
        if (data2.channels !== void 0 && func0.call(data2, "channels")) {
          let data11 = data2.channels;
          if (Array.isArray(data11)) {
            if (data11.length > 8) {
              const err35 = { instancePath: instancePath + "/requestBody/channels", schemaPath: "#/properties/requestBody/properties/channels/maxItems", keyword: "maxItems", params: { limit: 8 }, message: "must NOT have more than 8 items" };
              if (vErrors === null) {
                vErrors = [err35];
              } else {
                vErrors.push(err35);
              }
              errors++;
            }
            if (data11.length < 1) {
              const err36 = { instancePath: instancePath + "/requestBody/channels", schemaPath: "#/properties/requestBody/properties/channels/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
              if (vErrors === null) {
                vErrors = [err36];
              } else {
                vErrors.push(err36);
              }
              errors++;
            }
            const len0 = data11.length;
            for (let i0 = 0; i0 < len0; i0++) {
              let data12 = data11[i0];
              if (typeof data12 !== "string") {
                const err37 = { instancePath: instancePath + "/requestBody/channels/" + i0, schemaPath: "#/properties/requestBody/properties/channels/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err37];
                } else {
                  vErrors.push(err37);
                }
                errors++;
              }
              if (!(data12 === "whatsapp" || data12 === "telegram" || data12 === "sms" || data12 === "http" || data12 === "sandbox")) {
                const err38 = { instancePath: instancePath + "/requestBody/channels/" + i0, schemaPath: "#/properties/requestBody/properties/channels/items/enum", keyword: "enum", params: { allowedValues: schema20.properties.requestBody.properties.channels.items.enum }, message: "must be equal to one of the allowed values" };
                if (vErrors === null) {
                  vErrors = [err38];
                } else {
                  vErrors.push(err38);
                }
                errors++;
              }
            }
            let i1 = data11.length;
            let j0;
            if (i1 > 1) {
              const indices0 = {};
              for (; i1--; ) {
                let item0 = data11[i1];
                if (typeof item0 !== "string") {
                  continue;
                }
                if (typeof indices0[item0] == "number") {
                  j0 = indices0[item0];
                  const err39 = { instancePath: instancePath + "/requestBody/channels", schemaPath: "#/properties/requestBody/properties/channels/uniqueItems", keyword: "uniqueItems", params: { i: i1, j: j0 }, message: "must NOT have duplicate items (items ## " + j0 + " and " + i1 + " are identical)" };
                  if (vErrors === null) {
                    vErrors = [err39];
                  } else {
                    vErrors.push(err39);
                  }
                  errors++;
                  break;
                }
                indices0[item0] = i1;
              }
            }
          } else {
            const err40 = { instancePath: instancePath + "/requestBody/channels", schemaPath: "#/properties/requestBody/properties/channels/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            if (vErrors === null) {
              vErrors = [err40];
            } else {
              vErrors.push(err40);
            }
            errors++;
          }
        }
      } else {
        const err41 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err41];
        } else {
          vErrors.push(err41);
        }
        errors++;
      }
    }
  } else {
    const err42 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err42];
    } else {
      vErrors.push(err42);
    }
    errors++;
  }
  validate19.errors = vErrors;
  return errors === 0;
}
var listTemplates = validate20;
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.query === void 0 || !func0.call(data, "query")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "query" }, message: "must have required property 'query'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.query !== void 0 && func0.call(data, "query")) {
      let data0 = data.query;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0.limit === void 0) {
          data0.limit = 20;
        }
        for (const key0 of Object.keys(data0)) {
          if (!(key0 === "limit" || key0 === "after")) {
            const err1 = { instancePath: instancePath + "/query", schemaPath: "#/properties/query/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err1];
            } else {
              vErrors.push(err1);
            }
            errors++;
          }
        }
        let data1 = data0.limit;
        if (!(typeof data1 == "number" && (!(data1 % 1) && !isNaN(data1)) && isFinite(data1))) {
          const err2 = { instancePath: instancePath + "/query/limit", schemaPath: "#/properties/query/properties/limit/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
          if (vErrors === null) {
            vErrors = [err2];
          } else {
            vErrors.push(err2);
          }
          errors++;
        }
        if (typeof data1 == "number" && isFinite(data1)) {
          if (data1 > 100 || isNaN(data1)) {
            const err3 = { instancePath: instancePath + "/query/limit", schemaPath: "#/properties/query/properties/limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 100 }, message: "must be <= 100" };
            if (vErrors === null) {
              vErrors = [err3];
            } else {
              vErrors.push(err3);
            }
            errors++;
          }
          if (data1 < 1 || isNaN(data1)) {
            const err4 = { instancePath: instancePath + "/query/limit", schemaPath: "#/properties/query/properties/limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
            if (vErrors === null) {
              vErrors = [err4];
            } else {
              vErrors.push(err4);
            }
            errors++;
          }
        }
        if (data0.after !== void 0 && func0.call(data0, "after")) {
          let data2 = data0.after;
          if (typeof data2 === "string") {
            if (func49(data2) > 64) {
              const err5 = { instancePath: instancePath + "/query/after", schemaPath: "#/properties/query/properties/after/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              if (vErrors === null) {
                vErrors = [err5];
              } else {
                vErrors.push(err5);
              }
              errors++;
            }
            if (func49(data2) < 1) {
              const err6 = { instancePath: instancePath + "/query/after", schemaPath: "#/properties/query/properties/after/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err6];
              } else {
                vErrors.push(err6);
              }
              errors++;
            }
            if (!pattern27.test(data2)) {
              const err7 = { instancePath: instancePath + "/query/after", schemaPath: "#/properties/query/properties/after/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9][a-z0-9_-]*$" }, message: 'must match pattern "^[a-z0-9][a-z0-9_-]*$"' };
              if (vErrors === null) {
                vErrors = [err7];
              } else {
                vErrors.push(err7);
              }
              errors++;
            }
          } else {
            const err8 = { instancePath: instancePath + "/query/after", schemaPath: "#/properties/query/properties/after/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
      } else {
        const err9 = { instancePath: instancePath + "/query", schemaPath: "#/properties/query/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
  } else {
    const err10 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err10];
    } else {
      vErrors.push(err10);
    }
    errors++;
  }
  validate20.errors = vErrors;
  return errors === 0;
}
var getTemplate = validate21;
function validate21(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.path === void 0 || !func0.call(data, "path")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "path" }, message: "must have required property 'path'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.path !== void 0 && func0.call(data, "path")) {
      let data0 = data.path;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0.slug === void 0 || !func0.call(data0, "slug")) {
          const err1 = { instancePath: instancePath + "/path", schemaPath: "#/properties/path/required", keyword: "required", params: { missingProperty: "slug" }, message: "must have required property 'slug'" };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
        if (data0.slug !== void 0 && func0.call(data0, "slug")) {
          let data1 = data0.slug;
          if (typeof data1 === "string") {
            if (func49(data1) > 64) {
              const err2 = { instancePath: instancePath + "/path/slug", schemaPath: "#/properties/path/properties/slug/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              if (vErrors === null) {
                vErrors = [err2];
              } else {
                vErrors.push(err2);
              }
              errors++;
            }
            if (func49(data1) < 1) {
              const err3 = { instancePath: instancePath + "/path/slug", schemaPath: "#/properties/path/properties/slug/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err3];
              } else {
                vErrors.push(err3);
              }
              errors++;
            }
            if (!pattern27.test(data1)) {
              const err4 = { instancePath: instancePath + "/path/slug", schemaPath: "#/properties/path/properties/slug/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9][a-z0-9_-]*$" }, message: 'must match pattern "^[a-z0-9][a-z0-9_-]*$"' };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          } else {
            const err5 = { instancePath: instancePath + "/path/slug", schemaPath: "#/properties/path/properties/slug/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
      } else {
        const err6 = { instancePath: instancePath + "/path", schemaPath: "#/properties/path/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
  } else {
    const err7 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err7];
    } else {
      vErrors.push(err7);
    }
    errors++;
  }
  validate21.errors = vErrors;
  return errors === 0;
}
var putTemplate = validate22;
var schema23 = { "type": "object", "properties": { "path": { "type": "object", "properties": { "slug": { "type": "string", "description": "The slug of a template of the account, 1 to 64 lower-case letters, digits, `-` and `_`.", "minLength": 1, "maxLength": 64, "pattern": "^[a-z0-9][a-z0-9_-]*$", "x-pattern-words": "must be lower-case letters, digits, - and _, beginning with a letter or a digit", "example": "welcome" } }, "required": ["slug"] }, "requestBody": { "type": "object", "additionalProperties": false, "description": "The new version of a template.", "required": ["default_locale", "locales"], "properties": { "category": { "type": "string", "description": "* `utility`: about something that the recipient did or agreed to, such as an order.\n* `marketing`: anything else.\n\nThe list may grow.\n", "x-may-grow": true, "enum": ["utility", "marketing"], "example": "utility" }, "default_locale": { "type": "string", "description": "The language of notifications that request no other language of the template: one of `locales`. BCP 47;\n`und` if the template does not name its language.\n", "minLength": 2, "maxLength": 35, "example": "en" }, "locales": { "type": "object", "description": "Its text in each language, by BCP 47 tag, including the default one. All have the same variables.\n", "minProperties": 1, "maxProperties": 50, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "The text of a template in one language.", "required": ["text"], "properties": { "text": { "type": "string", "description": "The text, with `{{name}}` in place of each variable.", "minLength": 1, "maxLength": 4096, "example": "Welcome, {{name}}!" }, "whatsapp": { "type": "object", "additionalProperties": false, "description": "The WhatsApp template that is sent in place of the text. Without it, WhatsApp does not carry the template in\nthis language.\n", "required": ["name", "language"], "properties": { "name": { "type": "string", "description": "Its name in WhatsApp Manager.", "minLength": 1, "maxLength": 512, "example": "order_shipped" }, "language": { "type": "string", "description": "Its language code at WhatsApp.", "minLength": 2, "maxLength": 20, "example": "en_US" }, "parameters": { "type": "array", "description": "The variables that fill `{{1}}`, `{{2}}` and so on of its body, in order.", "maxItems": 50, "items": { "type": "string", "maxLength": 64 }, "example": ["name"] }, "body": { "type": "object", "description": "In place of `parameters`, if its body has named parameters: the variable that fills each, by the parameter's\nname at WhatsApp.\n", "maxProperties": 50, "additionalProperties": { "type": "string", "maxLength": 64 }, "example": { "customer": "name" } }, "header": { "type": "object", "additionalProperties": false, "description": "What fills the header of a WhatsApp template, with variables as `{{name}}`. It has one of `text`, `image`, `video` and `document`.", "properties": { "text": { "type": "string", "description": "A text.", "minLength": 1, "maxLength": 2e3, "example": "Order {{order}}" }, "parameter": { "type": "string", "description": "The name of the text's parameter at WhatsApp, if it has one.", "minLength": 1, "maxLength": 64, "example": "order_number" }, "image": { "type": "string", "description": "The https URL of an image, or its id at WhatsApp.", "minLength": 1, "maxLength": 2e3, "example": "{{photo}}" }, "video": { "type": "string", "description": "The https URL of a video, or its id at WhatsApp.", "minLength": 1, "maxLength": 2e3, "example": "{{video}}" }, "document": { "type": "string", "description": "The https URL of a document, or its id at WhatsApp.", "minLength": 1, "maxLength": 2e3, "example": "{{invoice}}" }, "filename": { "type": "string", "description": "The file name of the document.", "minLength": 1, "maxLength": 2e3, "example": "invoice-{{order}}.pdf" } } }, "buttons": { "type": "array", "description": "What fills its buttons, in order. A button that has nothing to fill is an empty object.", "maxItems": 10, "items": { "type": "object", "additionalProperties": false, "description": "What fills a button of a WhatsApp template, with variables as `{{name}}`. It has one of these, or none.", "properties": { "url": { "type": "string", "description": "The end of the URL that it opens.", "minLength": 1, "maxLength": 2e3, "example": "{{order}}" }, "quick_reply": { "type": "string", "description": "The payload that it returns when it is pressed.", "minLength": 1, "maxLength": 2e3, "example": "order:{{order}}" }, "copy_code": { "type": "string", "description": "The code that it copies.", "minLength": 1, "maxLength": 2e3, "example": "{{coupon}}" } } } } } } } }, "example": { "en": { "text": "Welcome, {{name}}!" } } } } } }, "required": ["path", "requestBody"] };
function validate22(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.path === void 0 || !func0.call(data, "path")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "path" }, message: "must have required property 'path'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.requestBody === void 0 || !func0.call(data, "requestBody")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "requestBody" }, message: "must have required property 'requestBody'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.path !== void 0 && func0.call(data, "path")) {
      let data0 = data.path;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0.slug === void 0 || !func0.call(data0, "slug")) {
          const err2 = { instancePath: instancePath + "/path", schemaPath: "#/properties/path/required", keyword: "required", params: { missingProperty: "slug" }, message: "must have required property 'slug'" };
          if (vErrors === null) {
            vErrors = [err2];
          } else {
            vErrors.push(err2);
          }
          errors++;
        }
        if (data0.slug !== void 0 && func0.call(data0, "slug")) {
          let data1 = data0.slug;
          if (typeof data1 === "string") {
            if (func49(data1) > 64) {
              const err3 = { instancePath: instancePath + "/path/slug", schemaPath: "#/properties/path/properties/slug/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              if (vErrors === null) {
                vErrors = [err3];
              } else {
                vErrors.push(err3);
              }
              errors++;
            }
            if (func49(data1) < 1) {
              const err4 = { instancePath: instancePath + "/path/slug", schemaPath: "#/properties/path/properties/slug/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
            if (!pattern27.test(data1)) {
              const err5 = { instancePath: instancePath + "/path/slug", schemaPath: "#/properties/path/properties/slug/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9][a-z0-9_-]*$" }, message: 'must match pattern "^[a-z0-9][a-z0-9_-]*$"' };
              if (vErrors === null) {
                vErrors = [err5];
              } else {
                vErrors.push(err5);
              }
              errors++;
            }
          } else {
            const err6 = { instancePath: instancePath + "/path/slug", schemaPath: "#/properties/path/properties/slug/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err6];
            } else {
              vErrors.push(err6);
            }
            errors++;
          }
        }
      } else {
        const err7 = { instancePath: instancePath + "/path", schemaPath: "#/properties/path/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
    if (data.requestBody !== void 0 && func0.call(data, "requestBody")) {
      let data2 = data.requestBody;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
        if (data2.default_locale === void 0 || !func0.call(data2, "default_locale")) {
          const err8 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/required", keyword: "required", params: { missingProperty: "default_locale" }, message: "must have required property 'default_locale'" };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
        if (data2.locales === void 0 || !func0.call(data2, "locales")) {
          const err9 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/required", keyword: "required", params: { missingProperty: "locales" }, message: "must have required property 'locales'" };
          if (vErrors === null) {
            vErrors = [err9];
          } else {
            vErrors.push(err9);
          }
          errors++;
        }
        for (const key0 of Object.keys(data2)) {
          if (!(key0 === "category" || key0 === "default_locale" || key0 === "locales")) {
            const err10 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data2.category !== void 0 && func0.call(data2, "category")) {
          let data3 = data2.category;
          if (typeof data3 !== "string") {
            const err11 = { instancePath: instancePath + "/requestBody/category", schemaPath: "#/properties/requestBody/properties/category/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
          if (!(data3 === "utility" || data3 === "marketing")) {
            const err12 = { instancePath: instancePath + "/requestBody/category", schemaPath: "#/properties/requestBody/properties/category/enum", keyword: "enum", params: { allowedValues: schema23.properties.requestBody.properties.category.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err12];
            } else {
              vErrors.push(err12);
            }
            errors++;
          }
        }
        if (data2.default_locale !== void 0 && func0.call(data2, "default_locale")) {
          let data4 = data2.default_locale;
          if (typeof data4 === "string") {
            if (func49(data4) > 35) {
              const err13 = { instancePath: instancePath + "/requestBody/default_locale", schemaPath: "#/properties/requestBody/properties/default_locale/maxLength", keyword: "maxLength", params: { limit: 35 }, message: "must NOT have more than 35 characters" };
              if (vErrors === null) {
                vErrors = [err13];
              } else {
                vErrors.push(err13);
              }
              errors++;
            }
            if (func49(data4) < 2) {
              const err14 = { instancePath: instancePath + "/requestBody/default_locale", schemaPath: "#/properties/requestBody/properties/default_locale/minLength", keyword: "minLength", params: { limit: 2 }, message: "must NOT have fewer than 2 characters" };
              if (vErrors === null) {
                vErrors = [err14];
              } else {
                vErrors.push(err14);
              }
              errors++;
            }
          } else {
            const err15 = { instancePath: instancePath + "/requestBody/default_locale", schemaPath: "#/properties/requestBody/properties/default_locale/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err15];
            } else {
              vErrors.push(err15);
            }
            errors++;
          }
        }
        if (data2.locales !== void 0 && func0.call(data2, "locales")) {
          let data5 = data2.locales;
          if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
            if (Object.keys(data5).length > 50) {
              const err16 = { instancePath: instancePath + "/requestBody/locales", schemaPath: "#/properties/requestBody/properties/locales/maxProperties", keyword: "maxProperties", params: { limit: 50 }, message: "must NOT have more than 50 properties" };
              if (vErrors === null) {
                vErrors = [err16];
              } else {
                vErrors.push(err16);
              }
              errors++;
            }
            if (Object.keys(data5).length < 1) {
              const err17 = { instancePath: instancePath + "/requestBody/locales", schemaPath: "#/properties/requestBody/properties/locales/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties" };
              if (vErrors === null) {
                vErrors = [err17];
              } else {
                vErrors.push(err17);
              }
              errors++;
            }
            for (const key1 of Object.keys(data5)) {
              let data6 = data5[key1];
              if (data6 && typeof data6 == "object" && !Array.isArray(data6)) {
                if (data6.text === void 0 || !func0.call(data6, "text")) {
                  const err18 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/required", keyword: "required", params: { missingProperty: "text" }, message: "must have required property 'text'" };
                  if (vErrors === null) {
                    vErrors = [err18];
                  } else {
                    vErrors.push(err18);
                  }
                  errors++;
                }
                for (const key2 of Object.keys(data6)) {
                  if (!(key2 === "text" || key2 === "whatsapp")) {
                    const err19 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
                    if (vErrors === null) {
                      vErrors = [err19];
                    } else {
                      vErrors.push(err19);
                    }
                    errors++;
                  }
                }
                if (data6.text !== void 0 && func0.call(data6, "text")) {
                  let data7 = data6.text;
                  if (typeof data7 === "string") {
                    if (func49(data7) > 4096) {
                      const err20 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/text", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/text/maxLength", keyword: "maxLength", params: { limit: 4096 }, message: "must NOT have more than 4096 characters" };
                      if (vErrors === null) {
                        vErrors = [err20];
                      } else {
                        vErrors.push(err20);
                      }
                      errors++;
                    }
                    if (func49(data7) < 1) {
                      const err21 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/text", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/text/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                      if (vErrors === null) {
                        vErrors = [err21];
                      } else {
                        vErrors.push(err21);
                      }
                      errors++;
                    }
                  } else {
                    const err22 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/text", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/text/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err22];
                    } else {
                      vErrors.push(err22);
                    }
                    errors++;
                  }
                }
                if (data6.whatsapp !== void 0 && func0.call(data6, "whatsapp")) {
                  let data8 = data6.whatsapp;
                  if (data8 && typeof data8 == "object" && !Array.isArray(data8)) {
                    if (data8.name === void 0 || !func0.call(data8, "name")) {
                      const err23 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
                      if (vErrors === null) {
                        vErrors = [err23];
                      } else {
                        vErrors.push(err23);
                      }
                      errors++;
                    }
                    if (data8.language === void 0 || !func0.call(data8, "language")) {
                      const err24 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/required", keyword: "required", params: { missingProperty: "language" }, message: "must have required property 'language'" };
                      if (vErrors === null) {
                        vErrors = [err24];
                      } else {
                        vErrors.push(err24);
                      }
                      errors++;
                    }
                    for (const key3 of Object.keys(data8)) {
                      if (!(key3 === "name" || key3 === "language" || key3 === "parameters" || key3 === "body" || key3 === "header" || key3 === "buttons")) {
                        const err25 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 }, message: "must NOT have additional properties" };
                        if (vErrors === null) {
                          vErrors = [err25];
                        } else {
                          vErrors.push(err25);
                        }
                        errors++;
                      }
                    }
                    if (data8.name !== void 0 && func0.call(data8, "name")) {
                      let data9 = data8.name;
                      if (typeof data9 === "string") {
                        if (func49(data9) > 512) {
                          const err26 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/name", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/name/maxLength", keyword: "maxLength", params: { limit: 512 }, message: "must NOT have more than 512 characters" };
                          if (vErrors === null) {
                            vErrors = [err26];
                          } else {
                            vErrors.push(err26);
                          }
                          errors++;
                        }
                        if (func49(data9) < 1) {
                          const err27 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/name", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/name/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                          if (vErrors === null) {
                            vErrors = [err27];
                          } else {
                            vErrors.push(err27);
                          }
                          errors++;
                        }
                      } else {
                        const err28 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/name", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        if (vErrors === null) {
                          vErrors = [err28];
                        } else {
                          vErrors.push(err28);
                        }
                        errors++;
                      }
                    }
                    if (data8.language !== void 0 && func0.call(data8, "language")) {
                      let data10 = data8.language;
                      if (typeof data10 === "string") {
                        if (func49(data10) > 20) {
                          const err29 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/language", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/language/maxLength", keyword: "maxLength", params: { limit: 20 }, message: "must NOT have more than 20 characters" };
                          if (vErrors === null) {
                            vErrors = [err29];
                          } else {
                            vErrors.push(err29);
                          }
                          errors++;
                        }
                        if (func49(data10) < 2) {
                          const err30 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/language", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/language/minLength", keyword: "minLength", params: { limit: 2 }, message: "must NOT have fewer than 2 characters" };
                          if (vErrors === null) {
                            vErrors = [err30];
                          } else {
                            vErrors.push(err30);
                          }
                          errors++;
                        }
                      } else {
                        const err31 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/language", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/language/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        if (vErrors === null) {
                          vErrors = [err31];
                        } else {
                          vErrors.push(err31);
                        }
                        errors++;
                      }
                    }
                    if (data8.parameters !== void 0 && func0.call(data8, "parameters")) {
                      let data11 = data8.parameters;
                      if (Array.isArray(data11)) {
                        if (data11.length > 50) {
                          const err32 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/parameters", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/parameters/maxItems", keyword: "maxItems", params: { limit: 50 }, message: "must NOT have more than 50 items" };
                          if (vErrors === null) {
                            vErrors = [err32];
                          } else {
                            vErrors.push(err32);
                          }
                          errors++;
                        }
                        const len0 = data11.length;
                        for (let i0 = 0; i0 < len0; i0++) {
                          let data12 = data11[i0];
                          if (typeof data12 === "string") {
                            if (func49(data12) > 64) {
                              const err33 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/parameters/" + i0, schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/parameters/items/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                              if (vErrors === null) {
                                vErrors = [err33];
                              } else {
                                vErrors.push(err33);
                              }
                              errors++;
                            }
                          } else {
                            const err34 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/parameters/" + i0, schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/parameters/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err34];
                            } else {
                              vErrors.push(err34);
                            }
                            errors++;
                          }
                        }
                      } else {
                        const err35 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/parameters", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/parameters/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                        if (vErrors === null) {
                          vErrors = [err35];
                        } else {
                          vErrors.push(err35);
                        }
                        errors++;
                      }
                    }
                    if (data8.body !== void 0 && func0.call(data8, "body")) {
                      let data13 = data8.body;
                      if (data13 && typeof data13 == "object" && !Array.isArray(data13)) {
                        if (Object.keys(data13).length > 50) {
                          const err36 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/body", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/body/maxProperties", keyword: "maxProperties", params: { limit: 50 }, message: "must NOT have more than 50 properties" };
                          if (vErrors === null) {
                            vErrors = [err36];
                          } else {
                            vErrors.push(err36);
                          }
                          errors++;
                        }
                        for (const key4 of Object.keys(data13)) {
                          let data14 = data13[key4];
                          if (typeof data14 === "string") {
                            if (func49(data14) > 64) {
                              const err37 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/body/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/body/additionalProperties/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                              if (vErrors === null) {
                                vErrors = [err37];
                              } else {
                                vErrors.push(err37);
                              }
                              errors++;
                            }
                          } else {
                            const err38 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/body/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/body/additionalProperties/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err38];
                            } else {
                              vErrors.push(err38);
                            }
                            errors++;
                          }
                        }
                      } else {
                        const err39 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/body", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/body/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                        if (vErrors === null) {
                          vErrors = [err39];
                        } else {
                          vErrors.push(err39);
                        }
                        errors++;
                      }
                    }
                    if (data8.header !== void 0 && func0.call(data8, "header")) {
                      let data15 = data8.header;
                      if (data15 && typeof data15 == "object" && !Array.isArray(data15)) {
                        for (const key5 of Object.keys(data15)) {
                          if (!(key5 === "text" || key5 === "parameter" || key5 === "image" || key5 === "video" || key5 === "document" || key5 === "filename")) {
                            const err40 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/header/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key5 }, message: "must NOT have additional properties" };
                            if (vErrors === null) {
                              vErrors = [err40];
                            } else {
                              vErrors.push(err40);
                            }
                            errors++;
                          }
                        }
                        if (data15.text !== void 0 && func0.call(data15, "text")) {
                          let data16 = data15.text;
                          if (typeof data16 === "string") {
                            if (func49(data16) > 2e3) {
                              const err41 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/text", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/text/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                              if (vErrors === null) {
                                vErrors = [err41];
                              } else {
                                vErrors.push(err41);
                              }
                              errors++;
                            }
                            if (func49(data16) < 1) {
                              const err42 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/text", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/text/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                              if (vErrors === null) {
                                vErrors = [err42];
                              } else {
                                vErrors.push(err42);
                              }
                              errors++;
                            }
                          } else {
                            const err43 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/text", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/text/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err43];
                            } else {
                              vErrors.push(err43);
                            }
                            errors++;
                          }
                        }
                        if (data15.parameter !== void 0 && func0.call(data15, "parameter")) {
                          let data17 = data15.parameter;
                          if (typeof data17 === "string") {
                            if (func49(data17) > 64) {
                              const err44 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/parameter", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/parameter/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                              if (vErrors === null) {
                                vErrors = [err44];
                              } else {
                                vErrors.push(err44);
                              }
                              errors++;
                            }
                            if (func49(data17) < 1) {
                              const err45 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/parameter", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/parameter/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                              if (vErrors === null) {
                                vErrors = [err45];
                              } else {
                                vErrors.push(err45);
                              }
                              errors++;
                            }
                          } else {
                            const err46 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/parameter", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/parameter/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err46];
                            } else {
                              vErrors.push(err46);
                            }
                            errors++;
                          }
                        }
                        if (data15.image !== void 0 && func0.call(data15, "image")) {
                          let data18 = data15.image;
                          if (typeof data18 === "string") {
                            if (func49(data18) > 2e3) {
                              const err47 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/image", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/image/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                              if (vErrors === null) {
                                vErrors = [err47];
                              } else {
                                vErrors.push(err47);
                              }
                              errors++;
                            }
                            if (func49(data18) < 1) {
                              const err48 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/image", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/image/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                              if (vErrors === null) {
                                vErrors = [err48];
                              } else {
                                vErrors.push(err48);
                              }
                              errors++;
                            }
                          } else {
                            const err49 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/image", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/image/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err49];
                            } else {
                              vErrors.push(err49);
                            }
                            errors++;
                          }
                        }
                        if (data15.video !== void 0 && func0.call(data15, "video")) {
                          let data19 = data15.video;
                          if (typeof data19 === "string") {
                            if (func49(data19) > 2e3) {
                              const err50 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/video", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/video/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                              if (vErrors === null) {
                                vErrors = [err50];
                              } else {
                                vErrors.push(err50);
                              }
                              errors++;
                            }
                            if (func49(data19) < 1) {
                              const err51 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/video", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/video/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                              if (vErrors === null) {
                                vErrors = [err51];
                              } else {
                                vErrors.push(err51);
                              }
                              errors++;
                            }
                          } else {
                            const err52 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/video", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/video/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err52];
                            } else {
                              vErrors.push(err52);
                            }
                            errors++;
                          }
                        }
                        if (data15.document !== void 0 && func0.call(data15, "document")) {
                          let data20 = data15.document;
                          if (typeof data20 === "string") {
                            if (func49(data20) > 2e3) {
                              const err53 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/document", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/document/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                              if (vErrors === null) {
                                vErrors = [err53];
                              } else {
                                vErrors.push(err53);
                              }
                              errors++;
                            }
                            if (func49(data20) < 1) {
                              const err54 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/document", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/document/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                              if (vErrors === null) {
                                vErrors = [err54];
                              } else {
                                vErrors.push(err54);
                              }
                              errors++;
                            }
                          } else {
                            const err55 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/document", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/document/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err55];
                            } else {
                              vErrors.push(err55);
                            }
                            errors++;
                          }
                        }
                        if (data15.filename !== void 0 && func0.call(data15, "filename")) {
                          let data21 = data15.filename;
                          if (typeof data21 === "string") {
                            if (func49(data21) > 2e3) {
                              const err56 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/filename", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/filename/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                              if (vErrors === null) {
                                vErrors = [err56];
                              } else {
                                vErrors.push(err56);
                              }
                              errors++;
                            }
                            if (func49(data21) < 1) {
                              const err57 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/filename", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/filename/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                              if (vErrors === null) {
                                vErrors = [err57];
                              } else {
                                vErrors.push(err57);
                              }
                              errors++;
                            }
                          } else {
                            const err58 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/filename", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/filename/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err58];
                            } else {
                              vErrors.push(err58);
                            }
                            errors++;
                          }
                        }
                      } else {
                        const err59 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/header/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                        if (vErrors === null) {
                          vErrors = [err59];
                        } else {
                          vErrors.push(err59);
                        }
                        errors++;
                      }
                    }
                    if (data8.buttons !== void 0 && func0.call(data8, "buttons")) {
                      let data22 = data8.buttons;
                      if (Array.isArray(data22)) {
                        if (data22.length > 10) {
                          const err60 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/maxItems", keyword: "maxItems", params: { limit: 10 }, message: "must NOT have more than 10 items" };
                          if (vErrors === null) {
                            vErrors = [err60];
                          } else {
                            vErrors.push(err60);
                          }
                          errors++;
                        }
                        const len1 = data22.length;
                        for (let i1 = 0; i1 < len1; i1++) {
                          let data23 = data22[i1];
                          if (data23 && typeof data23 == "object" && !Array.isArray(data23)) {
                            for (const key6 of Object.keys(data23)) {
                              if (!(key6 === "url" || key6 === "quick_reply" || key6 === "copy_code")) {
                                const err61 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i1, schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key6 }, message: "must NOT have additional properties" };
                                if (vErrors === null) {
                                  vErrors = [err61];
                                } else {
                                  vErrors.push(err61);
                                }
                                errors++;
                              }
                            }
                            if (data23.url !== void 0 && func0.call(data23, "url")) {
                              let data24 = data23.url;
                              if (typeof data24 === "string") {
                                if (func49(data24) > 2e3) {
                                  const err62 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i1 + "/url", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/properties/url/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                                  if (vErrors === null) {
                                    vErrors = [err62];
                                  } else {
                                    vErrors.push(err62);
                                  }
                                  errors++;
                                }
                                if (func49(data24) < 1) {
                                  const err63 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i1 + "/url", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/properties/url/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                                  if (vErrors === null) {
                                    vErrors = [err63];
                                  } else {
                                    vErrors.push(err63);
                                  }
                                  errors++;
                                }
                              } else {
                                const err64 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i1 + "/url", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/properties/url/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                if (vErrors === null) {
                                  vErrors = [err64];
                                } else {
                                  vErrors.push(err64);
                                }
                                errors++;
                              }
                            }
                            if (data23.quick_reply !== void 0 && func0.call(data23, "quick_reply")) {
                              let data25 = data23.quick_reply;
                              if (typeof data25 === "string") {
                                if (func49(data25) > 2e3) {
                                  const err65 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i1 + "/quick_reply", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/properties/quick_reply/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                                  if (vErrors === null) {
                                    vErrors = [err65];
                                  } else {
                                    vErrors.push(err65);
                                  }
                                  errors++;
                                }
                                if (func49(data25) < 1) {
                                  const err66 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i1 + "/quick_reply", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/properties/quick_reply/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                                  if (vErrors === null) {
                                    vErrors = [err66];
                                  } else {
                                    vErrors.push(err66);
                                  }
                                  errors++;
                                }
                              } else {
                                const err67 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i1 + "/quick_reply", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/properties/quick_reply/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                if (vErrors === null) {
                                  vErrors = [err67];
                                } else {
                                  vErrors.push(err67);
                                }
                                errors++;
                              }
                            }
                            if (data23.copy_code !== void 0 && func0.call(data23, "copy_code")) {
                              let data26 = data23.copy_code;
                              if (typeof data26 === "string") {
                                if (func49(data26) > 2e3) {
                                  const err68 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i1 + "/copy_code", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/properties/copy_code/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                                  if (vErrors === null) {
                                    vErrors = [err68];
                                  } else {
                                    vErrors.push(err68);
                                  }
                                  errors++;
                                }
                                if (func49(data26) < 1) {
                                  const err69 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i1 + "/copy_code", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/properties/copy_code/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                                  if (vErrors === null) {
                                    vErrors = [err69];
                                  } else {
                                    vErrors.push(err69);
                                  }
                                  errors++;
                                }
                              } else {
                                const err70 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i1 + "/copy_code", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/properties/copy_code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                if (vErrors === null) {
                                  vErrors = [err70];
                                } else {
                                  vErrors.push(err70);
                                }
                                errors++;
                              }
                            }
                          } else {
                            const err71 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i1, schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                            if (vErrors === null) {
                              vErrors = [err71];
                            } else {
                              vErrors.push(err71);
                            }
                            errors++;
                          }
                        }
                      } else {
                        const err72 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                        if (vErrors === null) {
                          vErrors = [err72];
                        } else {
                          vErrors.push(err72);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err73 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp", schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/properties/whatsapp/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                    if (vErrors === null) {
                      vErrors = [err73];
                    } else {
                      vErrors.push(err73);
                    }
                    errors++;
                  }
                }
              } else {
                const err74 = { instancePath: instancePath + "/requestBody/locales/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/requestBody/properties/locales/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                if (vErrors === null) {
                  vErrors = [err74];
                } else {
                  vErrors.push(err74);
                }
                errors++;
              }
            }
          } else {
            const err75 = { instancePath: instancePath + "/requestBody/locales", schemaPath: "#/properties/requestBody/properties/locales/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            if (vErrors === null) {
              vErrors = [err75];
            } else {
              vErrors.push(err75);
            }
            errors++;
          }
        }
      } else {
        const err76 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err76];
        } else {
          vErrors.push(err76);
        }
        errors++;
      }
    }
  } else {
    const err77 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err77];
    } else {
      vErrors.push(err77);
    }
    errors++;
  }
  validate22.errors = vErrors;
  return errors === 0;
}
var deleteTemplate = validate23;
function validate23(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.path === void 0 || !func0.call(data, "path")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "path" }, message: "must have required property 'path'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.path !== void 0 && func0.call(data, "path")) {
      let data0 = data.path;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0.slug === void 0 || !func0.call(data0, "slug")) {
          const err1 = { instancePath: instancePath + "/path", schemaPath: "#/properties/path/required", keyword: "required", params: { missingProperty: "slug" }, message: "must have required property 'slug'" };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
        if (data0.slug !== void 0 && func0.call(data0, "slug")) {
          let data1 = data0.slug;
          if (typeof data1 === "string") {
            if (func49(data1) > 64) {
              const err2 = { instancePath: instancePath + "/path/slug", schemaPath: "#/properties/path/properties/slug/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              if (vErrors === null) {
                vErrors = [err2];
              } else {
                vErrors.push(err2);
              }
              errors++;
            }
            if (func49(data1) < 1) {
              const err3 = { instancePath: instancePath + "/path/slug", schemaPath: "#/properties/path/properties/slug/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err3];
              } else {
                vErrors.push(err3);
              }
              errors++;
            }
            if (!pattern27.test(data1)) {
              const err4 = { instancePath: instancePath + "/path/slug", schemaPath: "#/properties/path/properties/slug/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9][a-z0-9_-]*$" }, message: 'must match pattern "^[a-z0-9][a-z0-9_-]*$"' };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          } else {
            const err5 = { instancePath: instancePath + "/path/slug", schemaPath: "#/properties/path/properties/slug/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
      } else {
        const err6 = { instancePath: instancePath + "/path", schemaPath: "#/properties/path/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
  } else {
    const err7 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err7];
    } else {
      vErrors.push(err7);
    }
    errors++;
  }
  validate23.errors = vErrors;
  return errors === 0;
}
var addOptOut = validate24;
var schema25 = { "type": "object", "properties": { "header": { "type": "object", "properties": { "Idempotency-Key": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]*$", "x-pattern-words": "must have nothing but ASCII characters that can be seen, and no spaces" } }, "required": [] }, "requestBody": { "type": "object", "additionalProperties": false, "required": ["phone"], "properties": { "phone": { "type": "string", "description": "A phone number in E.164 form, a plus sign and at most 15 digits. The number must be able to exist, and must not\ncharge its caller: no premium rate, shared cost, personal, pager or satellite numbers.\n\nSome phones have two numbers: mobile phones of Argentina (`+54 9 11 \u2026` and `+54 11 \u2026`), and those of Palestine with\n59 and 56 (`+970 59 \u2026` and `+972 59 \u2026`). Both count as one phone, and messages go to the number that was given.\n", "pattern": "^\\+[1-9][0-9]{1,14}$", "x-pattern-words": "must be in E.164 form: + and the country code, then the number, without spaces, like +14155550100", "example": "+14155550100" }, "category": { "type": "string", "description": "What the owner of the phone no longer wants.\n\n* `all`: all notifications\n* `marketing`: notifications of templates with the category `marketing`\n", "enum": ["all", "marketing"], "default": "all", "example": "marketing" } } } }, "required": ["header", "requestBody"] };
function validate24(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.header === void 0 || !func0.call(data, "header")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "header" }, message: "must have required property 'header'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.requestBody === void 0 || !func0.call(data, "requestBody")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "requestBody" }, message: "must have required property 'requestBody'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.header !== void 0 && func0.call(data, "header")) {
      let data0 = data.header;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0["Idempotency-Key"] !== void 0 && func0.call(data0, "Idempotency-Key")) {
          let data1 = data0["Idempotency-Key"];
          if (typeof data1 === "string") {
            if (func49(data1) > 255) {
              const err2 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/maxLength", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters" };
              if (vErrors === null) {
                vErrors = [err2];
              } else {
                vErrors.push(err2);
              }
              errors++;
            }
            if (func49(data1) < 1) {
              const err3 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err3];
              } else {
                vErrors.push(err3);
              }
              errors++;
            }
            if (!pattern0.test(data1)) {
              const err4 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/pattern", keyword: "pattern", params: { pattern: "^[!-~]*$" }, message: 'must match pattern "^[!-~]*$"' };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          } else {
            const err5 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
      } else {
        const err6 = { instancePath: instancePath + "/header", schemaPath: "#/properties/header/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.requestBody !== void 0 && func0.call(data, "requestBody")) {
      let data2 = data.requestBody;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
        if (data2.category === void 0) {
          data2.category = "all";
        }
        if (data2.phone === void 0 || !func0.call(data2, "phone")) {
          const err7 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/required", keyword: "required", params: { missingProperty: "phone" }, message: "must have required property 'phone'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key0 of Object.keys(data2)) {
          if (!(key0 === "phone" || key0 === "category")) {
            const err8 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data2.phone !== void 0 && func0.call(data2, "phone")) {
          let data3 = data2.phone;
          if (typeof data3 === "string") {
            if (!pattern1.test(data3)) {
              const err9 = { instancePath: instancePath + "/requestBody/phone", schemaPath: "#/properties/requestBody/properties/phone/pattern", keyword: "pattern", params: { pattern: "^\\+[1-9][0-9]{1,14}$" }, message: 'must match pattern "^\\+[1-9][0-9]{1,14}$"' };
              if (vErrors === null) {
                vErrors = [err9];
              } else {
                vErrors.push(err9);
              }
              errors++;
            }
          } else {
            const err10 = { instancePath: instancePath + "/requestBody/phone", schemaPath: "#/properties/requestBody/properties/phone/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        let data4 = data2.category;
        if (typeof data4 !== "string") {
          const err11 = { instancePath: instancePath + "/requestBody/category", schemaPath: "#/properties/requestBody/properties/category/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          if (vErrors === null) {
            vErrors = [err11];
          } else {
            vErrors.push(err11);
          }
          errors++;
        }
        if (!(data4 === "all" || data4 === "marketing")) {
          const err12 = { instancePath: instancePath + "/requestBody/category", schemaPath: "#/properties/requestBody/properties/category/enum", keyword: "enum", params: { allowedValues: schema25.properties.requestBody.properties.category.enum }, message: "must be equal to one of the allowed values" };
          if (vErrors === null) {
            vErrors = [err12];
          } else {
            vErrors.push(err12);
          }
          errors++;
        }
      } else {
        const err13 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err13];
        } else {
          vErrors.push(err13);
        }
        errors++;
      }
    }
  } else {
    const err14 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err14];
    } else {
      vErrors.push(err14);
    }
    errors++;
  }
  validate24.errors = vErrors;
  return errors === 0;
}
var removeOptOut = validate25;
function validate25(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.header === void 0 || !func0.call(data, "header")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "header" }, message: "must have required property 'header'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.requestBody === void 0 || !func0.call(data, "requestBody")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "requestBody" }, message: "must have required property 'requestBody'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.header !== void 0 && func0.call(data, "header")) {
      let data0 = data.header;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0["Idempotency-Key"] !== void 0 && func0.call(data0, "Idempotency-Key")) {
          let data1 = data0["Idempotency-Key"];
          if (typeof data1 === "string") {
            if (func49(data1) > 255) {
              const err2 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/maxLength", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters" };
              if (vErrors === null) {
                vErrors = [err2];
              } else {
                vErrors.push(err2);
              }
              errors++;
            }
            if (func49(data1) < 1) {
              const err3 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err3];
              } else {
                vErrors.push(err3);
              }
              errors++;
            }
            if (!pattern0.test(data1)) {
              const err4 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/pattern", keyword: "pattern", params: { pattern: "^[!-~]*$" }, message: 'must match pattern "^[!-~]*$"' };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          } else {
            const err5 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
      } else {
        const err6 = { instancePath: instancePath + "/header", schemaPath: "#/properties/header/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.requestBody !== void 0 && func0.call(data, "requestBody")) {
      let data2 = data.requestBody;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
        if (data2.phone === void 0 || !func0.call(data2, "phone")) {
          const err7 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/required", keyword: "required", params: { missingProperty: "phone" }, message: "must have required property 'phone'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key0 of Object.keys(data2)) {
          if (!(key0 === "phone")) {
            const err8 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data2.phone !== void 0 && func0.call(data2, "phone")) {
          let data3 = data2.phone;
          if (typeof data3 === "string") {
            if (!pattern1.test(data3)) {
              const err9 = { instancePath: instancePath + "/requestBody/phone", schemaPath: "#/properties/requestBody/properties/phone/pattern", keyword: "pattern", params: { pattern: "^\\+[1-9][0-9]{1,14}$" }, message: 'must match pattern "^\\+[1-9][0-9]{1,14}$"' };
              if (vErrors === null) {
                vErrors = [err9];
              } else {
                vErrors.push(err9);
              }
              errors++;
            }
          } else {
            const err10 = { instancePath: instancePath + "/requestBody/phone", schemaPath: "#/properties/requestBody/properties/phone/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
      } else {
        const err11 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err11];
        } else {
          vErrors.push(err11);
        }
        errors++;
      }
    }
  } else {
    const err12 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err12];
    } else {
      vErrors.push(err12);
    }
    errors++;
  }
  validate25.errors = vErrors;
  return errors === 0;
}
var findOptOut = validate26;
function validate26(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.header === void 0 || !func0.call(data, "header")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "header" }, message: "must have required property 'header'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.requestBody === void 0 || !func0.call(data, "requestBody")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "requestBody" }, message: "must have required property 'requestBody'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.header !== void 0 && func0.call(data, "header")) {
      let data0 = data.header;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0["Idempotency-Key"] !== void 0 && func0.call(data0, "Idempotency-Key")) {
          let data1 = data0["Idempotency-Key"];
          if (typeof data1 === "string") {
            if (func49(data1) > 255) {
              const err2 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/maxLength", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters" };
              if (vErrors === null) {
                vErrors = [err2];
              } else {
                vErrors.push(err2);
              }
              errors++;
            }
            if (func49(data1) < 1) {
              const err3 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err3];
              } else {
                vErrors.push(err3);
              }
              errors++;
            }
            if (!pattern0.test(data1)) {
              const err4 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/pattern", keyword: "pattern", params: { pattern: "^[!-~]*$" }, message: 'must match pattern "^[!-~]*$"' };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          } else {
            const err5 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
      } else {
        const err6 = { instancePath: instancePath + "/header", schemaPath: "#/properties/header/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.requestBody !== void 0 && func0.call(data, "requestBody")) {
      let data2 = data.requestBody;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
        if (data2.phone === void 0 || !func0.call(data2, "phone")) {
          const err7 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/required", keyword: "required", params: { missingProperty: "phone" }, message: "must have required property 'phone'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key0 of Object.keys(data2)) {
          if (!(key0 === "phone")) {
            const err8 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data2.phone !== void 0 && func0.call(data2, "phone")) {
          let data3 = data2.phone;
          if (typeof data3 === "string") {
            if (!pattern1.test(data3)) {
              const err9 = { instancePath: instancePath + "/requestBody/phone", schemaPath: "#/properties/requestBody/properties/phone/pattern", keyword: "pattern", params: { pattern: "^\\+[1-9][0-9]{1,14}$" }, message: 'must match pattern "^\\+[1-9][0-9]{1,14}$"' };
              if (vErrors === null) {
                vErrors = [err9];
              } else {
                vErrors.push(err9);
              }
              errors++;
            }
          } else {
            const err10 = { instancePath: instancePath + "/requestBody/phone", schemaPath: "#/properties/requestBody/properties/phone/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
      } else {
        const err11 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err11];
        } else {
          vErrors.push(err11);
        }
        errors++;
      }
    }
  } else {
    const err12 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err12];
    } else {
      vErrors.push(err12);
    }
    errors++;
  }
  validate26.errors = vErrors;
  return errors === 0;
}
export {
  addOptOut,
  cancelNotification,
  cancelVerification,
  checkVerification,
  checkVerificationByPhone,
  confirmVerification,
  deleteTemplate,
  findOptOut,
  getMessage,
  getTemplate,
  listMessages,
  listTemplates,
  previewNotification,
  putTemplate,
  removeOptOut,
  sendNotification,
  sendVerification
};
