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
  "node_modules/ajv/dist/runtime/ucs2length.js"(exports2) {
    "use strict";
    Object.defineProperty(exports2, "__esModule", { value: true });
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
    exports2.default = ucs2length;
    ucs2length.code = 'require("ajv/dist/runtime/ucs2length").default';
  }
});

// node_modules/ajv-formats/dist/formats.js
var require_formats = __commonJS({
  "node_modules/ajv-formats/dist/formats.js"(exports2) {
    "use strict";
    Object.defineProperty(exports2, "__esModule", { value: true });
    exports2.formatNames = exports2.fastFormats = exports2.fullFormats = void 0;
    function fmtDef(validate, compare) {
      return { validate, compare };
    }
    exports2.fullFormats = {
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
    exports2.fastFormats = {
      ...exports2.fullFormats,
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
    exports2.formatNames = Object.keys(exports2.fullFormats);
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
var exports = {};
exports["sendVerification.200.headers"] = validate21;
var schema6 = { "type": "object", "properties": { "x-trace-id": { "type": "string", "pattern": "^[0-9a-f]{32}$" }, "idempotent-replayed": { "type": "string", "enum": ["true"] } }, "required": ["x-trace-id"] };
var func0 = Object.prototype.hasOwnProperty;
var pattern0 = new RegExp("^[0-9a-f]{32}$", "u");
function validate21(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data["x-trace-id"] === void 0 || !func0.call(data, "x-trace-id")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "x-trace-id" }, message: "must have required property 'x-trace-id'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data["x-trace-id"] !== void 0 && func0.call(data, "x-trace-id")) {
      let data0 = data["x-trace-id"];
      if (typeof data0 === "string") {
        if (!pattern0.test(data0)) {
          const err1 = { instancePath: instancePath + "/x-trace-id", schemaPath: "#/properties/x-trace-id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
      } else {
        const err2 = { instancePath: instancePath + "/x-trace-id", schemaPath: "#/properties/x-trace-id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data["idempotent-replayed"] !== void 0 && func0.call(data, "idempotent-replayed")) {
      let data1 = data["idempotent-replayed"];
      if (typeof data1 !== "string") {
        const err3 = { instancePath: instancePath + "/idempotent-replayed", schemaPath: "#/properties/idempotent-replayed/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data1 === "true")) {
        const err4 = { instancePath: instancePath + "/idempotent-replayed", schemaPath: "#/properties/idempotent-replayed/enum", keyword: "enum", params: { allowedValues: schema6.properties["idempotent-replayed"].enum }, message: "must be equal to one of the allowed values" };
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
  validate21.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.200.body"] = validate22;
var schema7 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [true] }, "data": { "type": "object", "required": ["request_id", "status", "expires_in"], "properties": { "request_id": { "type": "string", "pattern": "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, "status": { "type": "string", "enum": ["sent"] }, "expires_in": { "type": "integer", "minimum": 60, "maximum": 600 } }, "additionalProperties": false } }, "additionalProperties": false };
var pattern1 = new RegExp("^req_[0-9A-HJKMNP-TV-Z]{26}$", "u");
function validate22(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === true)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema7.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.request_id === void 0 || !func0.call(data1, "request_id")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "request_id" }, message: "must have required property 'request_id'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.status === void 0 || !func0.call(data1, "status")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "status" }, message: "must have required property 'status'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.expires_in === void 0 || !func0.call(data1, "expires_in")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "expires_in" }, message: "must have required property 'expires_in'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "request_id" || key1 === "status" || key1 === "expires_in")) {
            const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data1.request_id !== void 0 && func0.call(data1, "request_id")) {
          let data2 = data1.request_id;
          if (typeof data2 === "string") {
            if (!pattern1.test(data2)) {
              const err9 = { instancePath: instancePath + "/data/request_id", schemaPath: "#/properties/data/properties/request_id/pattern", keyword: "pattern", params: { pattern: "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, message: 'must match pattern "^req_[0-9A-HJKMNP-TV-Z]{26}$"' };
              if (vErrors === null) {
                vErrors = [err9];
              } else {
                vErrors.push(err9);
              }
              errors++;
            }
          } else {
            const err10 = { instancePath: instancePath + "/data/request_id", schemaPath: "#/properties/data/properties/request_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data1.status !== void 0 && func0.call(data1, "status")) {
          let data3 = data1.status;
          if (typeof data3 !== "string") {
            const err11 = { instancePath: instancePath + "/data/status", schemaPath: "#/properties/data/properties/status/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
          if (!(data3 === "sent")) {
            const err12 = { instancePath: instancePath + "/data/status", schemaPath: "#/properties/data/properties/status/enum", keyword: "enum", params: { allowedValues: schema7.properties.data.properties.status.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err12];
            } else {
              vErrors.push(err12);
            }
            errors++;
          }
        }
        if (data1.expires_in !== void 0 && func0.call(data1, "expires_in")) {
          let data4 = data1.expires_in;
          if (!(typeof data4 == "number" && (!(data4 % 1) && !isNaN(data4)) && isFinite(data4))) {
            const err13 = { instancePath: instancePath + "/data/expires_in", schemaPath: "#/properties/data/properties/expires_in/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
          if (typeof data4 == "number" && isFinite(data4)) {
            if (data4 > 600 || isNaN(data4)) {
              const err14 = { instancePath: instancePath + "/data/expires_in", schemaPath: "#/properties/data/properties/expires_in/maximum", keyword: "maximum", params: { comparison: "<=", limit: 600 }, message: "must be <= 600" };
              if (vErrors === null) {
                vErrors = [err14];
              } else {
                vErrors.push(err14);
              }
              errors++;
            }
            if (data4 < 60 || isNaN(data4)) {
              const err15 = { instancePath: instancePath + "/data/expires_in", schemaPath: "#/properties/data/properties/expires_in/minimum", keyword: "minimum", params: { comparison: ">=", limit: 60 }, message: "must be >= 60" };
              if (vErrors === null) {
                vErrors = [err15];
              } else {
                vErrors.push(err15);
              }
              errors++;
            }
          }
        }
      } else {
        const err16 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err16];
        } else {
          vErrors.push(err16);
        }
        errors++;
      }
    }
  } else {
    const err17 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err17];
    } else {
      vErrors.push(err17);
    }
    errors++;
  }
  validate22.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.200"] = validate23;
function validate23(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate21(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate22(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate23.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.400.body"] = validate26;
var schema9 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [false] }, "data": { "type": "object", "required": ["code", "message", "trace_id"], "properties": { "code": { "type": "string", "enum": ["invalid_json", "invalid_request", "invalid_phone"] }, "message": { "type": "string" }, "details": { "type": "array", "minItems": 1, "maxItems": 20, "items": { "type": "object", "required": ["field", "code", "message"], "properties": { "field": { "type": "string", "maxLength": 100 }, "code": { "type": "string", "enum": ["missing", "unknown", "wrong_type", "wrong_format", "too_short", "too_long", "too_small", "too_large", "too_many", "repeated", "excluded", "blocked", "challenged", "spent"] }, "message": { "type": "string" } }, "additionalProperties": false } }, "trace_id": { "type": "string", "pattern": "^[0-9a-f]{32}$" } }, "additionalProperties": false } }, "additionalProperties": false };
var func76 = require_ucs2length().default;
function validate26(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === false)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema9.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.code === void 0 || !func0.call(data1, "code")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.message === void 0 || !func0.call(data1, "message")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.trace_id === void 0 || !func0.call(data1, "trace_id")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "trace_id" }, message: "must have required property 'trace_id'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "code" || key1 === "message" || key1 === "details" || key1 === "trace_id")) {
            const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data1.code !== void 0 && func0.call(data1, "code")) {
          let data2 = data1.code;
          if (typeof data2 !== "string") {
            const err9 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
          if (!(data2 === "invalid_json" || data2 === "invalid_request" || data2 === "invalid_phone")) {
            const err10 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/enum", keyword: "enum", params: { allowedValues: schema9.properties.data.properties.code.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data1.message !== void 0 && func0.call(data1, "message")) {
          if (typeof data1.message !== "string") {
            const err11 = { instancePath: instancePath + "/data/message", schemaPath: "#/properties/data/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.details !== void 0 && func0.call(data1, "details")) {
          let data4 = data1.details;
          if (Array.isArray(data4)) {
            if (data4.length > 20) {
              const err12 = { instancePath: instancePath + "/data/details", schemaPath: "#/properties/data/properties/details/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
            if (data4.length < 1) {
              const err13 = { instancePath: instancePath + "/data/details", schemaPath: "#/properties/data/properties/details/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
              if (vErrors === null) {
                vErrors = [err13];
              } else {
                vErrors.push(err13);
              }
              errors++;
            }
            const len0 = data4.length;
            for (let i0 = 0; i0 < len0; i0++) {
              let data5 = data4[i0];
              if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
                if (data5.field === void 0 || !func0.call(data5, "field")) {
                  const err14 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/required", keyword: "required", params: { missingProperty: "field" }, message: "must have required property 'field'" };
                  if (vErrors === null) {
                    vErrors = [err14];
                  } else {
                    vErrors.push(err14);
                  }
                  errors++;
                }
                if (data5.code === void 0 || !func0.call(data5, "code")) {
                  const err15 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
                  if (vErrors === null) {
                    vErrors = [err15];
                  } else {
                    vErrors.push(err15);
                  }
                  errors++;
                }
                if (data5.message === void 0 || !func0.call(data5, "message")) {
                  const err16 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
                  if (vErrors === null) {
                    vErrors = [err16];
                  } else {
                    vErrors.push(err16);
                  }
                  errors++;
                }
                for (const key2 of Object.keys(data5)) {
                  if (!(key2 === "field" || key2 === "code" || key2 === "message")) {
                    const err17 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
                    if (vErrors === null) {
                      vErrors = [err17];
                    } else {
                      vErrors.push(err17);
                    }
                    errors++;
                  }
                }
                if (data5.field !== void 0 && func0.call(data5, "field")) {
                  let data6 = data5.field;
                  if (typeof data6 === "string") {
                    if (func76(data6) > 100) {
                      const err18 = { instancePath: instancePath + "/data/details/" + i0 + "/field", schemaPath: "#/properties/data/properties/details/items/properties/field/maxLength", keyword: "maxLength", params: { limit: 100 }, message: "must NOT have more than 100 characters" };
                      if (vErrors === null) {
                        vErrors = [err18];
                      } else {
                        vErrors.push(err18);
                      }
                      errors++;
                    }
                  } else {
                    const err19 = { instancePath: instancePath + "/data/details/" + i0 + "/field", schemaPath: "#/properties/data/properties/details/items/properties/field/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err19];
                    } else {
                      vErrors.push(err19);
                    }
                    errors++;
                  }
                }
                if (data5.code !== void 0 && func0.call(data5, "code")) {
                  let data7 = data5.code;
                  if (typeof data7 !== "string") {
                    const err20 = { instancePath: instancePath + "/data/details/" + i0 + "/code", schemaPath: "#/properties/data/properties/details/items/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err20];
                    } else {
                      vErrors.push(err20);
                    }
                    errors++;
                  }
                  if (!(data7 === "missing" || data7 === "unknown" || data7 === "wrong_type" || data7 === "wrong_format" || data7 === "too_short" || data7 === "too_long" || data7 === "too_small" || data7 === "too_large" || data7 === "too_many" || data7 === "repeated" || data7 === "excluded" || data7 === "blocked" || data7 === "challenged" || data7 === "spent")) {
                    const err21 = { instancePath: instancePath + "/data/details/" + i0 + "/code", schemaPath: "#/properties/data/properties/details/items/properties/code/enum", keyword: "enum", params: { allowedValues: schema9.properties.data.properties.details.items.properties.code.enum }, message: "must be equal to one of the allowed values" };
                    if (vErrors === null) {
                      vErrors = [err21];
                    } else {
                      vErrors.push(err21);
                    }
                    errors++;
                  }
                }
                if (data5.message !== void 0 && func0.call(data5, "message")) {
                  if (typeof data5.message !== "string") {
                    const err22 = { instancePath: instancePath + "/data/details/" + i0 + "/message", schemaPath: "#/properties/data/properties/details/items/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err22];
                    } else {
                      vErrors.push(err22);
                    }
                    errors++;
                  }
                }
              } else {
                const err23 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                if (vErrors === null) {
                  vErrors = [err23];
                } else {
                  vErrors.push(err23);
                }
                errors++;
              }
            }
          } else {
            const err24 = { instancePath: instancePath + "/data/details", schemaPath: "#/properties/data/properties/details/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            if (vErrors === null) {
              vErrors = [err24];
            } else {
              vErrors.push(err24);
            }
            errors++;
          }
        }
        if (data1.trace_id !== void 0 && func0.call(data1, "trace_id")) {
          let data9 = data1.trace_id;
          if (typeof data9 === "string") {
            if (!pattern0.test(data9)) {
              const err25 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
              if (vErrors === null) {
                vErrors = [err25];
              } else {
                vErrors.push(err25);
              }
              errors++;
            }
          } else {
            const err26 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err26];
            } else {
              vErrors.push(err26);
            }
            errors++;
          }
        }
      } else {
        const err27 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err27];
        } else {
          vErrors.push(err27);
        }
        errors++;
      }
    }
  } else {
    const err28 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err28];
    } else {
      vErrors.push(err28);
    }
    errors++;
  }
  validate26.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.400"] = validate27;
function validate27(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate21(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate26(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate26.errors : vErrors.concat(validate26.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate27.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.401.headers"] = validate30;
var schema11 = { "type": "object", "properties": { "x-trace-id": { "type": "string", "pattern": "^[0-9a-f]{32}$" }, "www-authenticate": { "type": "string", "enum": ["Bearer"] } }, "required": ["x-trace-id", "www-authenticate"] };
function validate30(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data["x-trace-id"] === void 0 || !func0.call(data, "x-trace-id")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "x-trace-id" }, message: "must have required property 'x-trace-id'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data["www-authenticate"] === void 0 || !func0.call(data, "www-authenticate")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "www-authenticate" }, message: "must have required property 'www-authenticate'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data["x-trace-id"] !== void 0 && func0.call(data, "x-trace-id")) {
      let data0 = data["x-trace-id"];
      if (typeof data0 === "string") {
        if (!pattern0.test(data0)) {
          const err2 = { instancePath: instancePath + "/x-trace-id", schemaPath: "#/properties/x-trace-id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
          if (vErrors === null) {
            vErrors = [err2];
          } else {
            vErrors.push(err2);
          }
          errors++;
        }
      } else {
        const err3 = { instancePath: instancePath + "/x-trace-id", schemaPath: "#/properties/x-trace-id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
    if (data["www-authenticate"] !== void 0 && func0.call(data, "www-authenticate")) {
      let data1 = data["www-authenticate"];
      if (typeof data1 !== "string") {
        const err4 = { instancePath: instancePath + "/www-authenticate", schemaPath: "#/properties/www-authenticate/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
      if (!(data1 === "Bearer")) {
        const err5 = { instancePath: instancePath + "/www-authenticate", schemaPath: "#/properties/www-authenticate/enum", keyword: "enum", params: { allowedValues: schema11.properties["www-authenticate"].enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err5];
        } else {
          vErrors.push(err5);
        }
        errors++;
      }
    }
  } else {
    const err6 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err6];
    } else {
      vErrors.push(err6);
    }
    errors++;
  }
  validate30.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.401.body"] = validate31;
var schema12 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [false] }, "data": { "type": "object", "required": ["code", "message", "trace_id"], "properties": { "code": { "type": "string", "enum": ["missing_api_key", "invalid_api_key", "revoked_api_key", "expired_api_key"] }, "message": { "type": "string" }, "trace_id": { "type": "string", "pattern": "^[0-9a-f]{32}$" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate31(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === false)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema12.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.code === void 0 || !func0.call(data1, "code")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.message === void 0 || !func0.call(data1, "message")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.trace_id === void 0 || !func0.call(data1, "trace_id")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "trace_id" }, message: "must have required property 'trace_id'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "code" || key1 === "message" || key1 === "trace_id")) {
            const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data1.code !== void 0 && func0.call(data1, "code")) {
          let data2 = data1.code;
          if (typeof data2 !== "string") {
            const err9 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
          if (!(data2 === "missing_api_key" || data2 === "invalid_api_key" || data2 === "revoked_api_key" || data2 === "expired_api_key")) {
            const err10 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/enum", keyword: "enum", params: { allowedValues: schema12.properties.data.properties.code.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data1.message !== void 0 && func0.call(data1, "message")) {
          if (typeof data1.message !== "string") {
            const err11 = { instancePath: instancePath + "/data/message", schemaPath: "#/properties/data/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.trace_id !== void 0 && func0.call(data1, "trace_id")) {
          let data4 = data1.trace_id;
          if (typeof data4 === "string") {
            if (!pattern0.test(data4)) {
              const err12 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
          } else {
            const err13 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
      } else {
        const err14 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
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
  validate31.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.401"] = validate32;
function validate32(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate30(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate30.errors : vErrors.concat(validate30.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate31(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate31.errors : vErrors.concat(validate31.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate32.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.403.headers"] = validate35;
function validate35(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data["x-trace-id"] === void 0 || !func0.call(data, "x-trace-id")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "x-trace-id" }, message: "must have required property 'x-trace-id'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data["x-trace-id"] !== void 0 && func0.call(data, "x-trace-id")) {
      let data0 = data["x-trace-id"];
      if (typeof data0 === "string") {
        if (!pattern0.test(data0)) {
          const err1 = { instancePath: instancePath + "/x-trace-id", schemaPath: "#/properties/x-trace-id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
      } else {
        const err2 = { instancePath: instancePath + "/x-trace-id", schemaPath: "#/properties/x-trace-id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
  } else {
    const err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err3];
    } else {
      vErrors.push(err3);
    }
    errors++;
  }
  validate35.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.403.body"] = validate36;
var schema15 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [false] }, "data": { "type": "object", "required": ["code", "message", "trace_id"], "properties": { "code": { "type": "string", "enum": ["insufficient_scope", "country_not_allowed", "no_channel", "send_blocked", "challenge_required", "budget_spent"] }, "message": { "type": "string" }, "details": { "type": "array", "minItems": 1, "maxItems": 20, "items": { "type": "object", "required": ["field", "code", "message"], "properties": { "field": { "type": "string", "maxLength": 100 }, "code": { "type": "string", "enum": ["missing", "unknown", "wrong_type", "wrong_format", "too_short", "too_long", "too_small", "too_large", "too_many", "repeated", "excluded", "blocked", "challenged", "spent"] }, "message": { "type": "string" } }, "additionalProperties": false } }, "trace_id": { "type": "string", "pattern": "^[0-9a-f]{32}$" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate36(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === false)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema15.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.code === void 0 || !func0.call(data1, "code")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.message === void 0 || !func0.call(data1, "message")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.trace_id === void 0 || !func0.call(data1, "trace_id")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "trace_id" }, message: "must have required property 'trace_id'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "code" || key1 === "message" || key1 === "details" || key1 === "trace_id")) {
            const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data1.code !== void 0 && func0.call(data1, "code")) {
          let data2 = data1.code;
          if (typeof data2 !== "string") {
            const err9 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
          if (!(data2 === "insufficient_scope" || data2 === "country_not_allowed" || data2 === "no_channel" || data2 === "send_blocked" || data2 === "challenge_required" || data2 === "budget_spent")) {
            const err10 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/enum", keyword: "enum", params: { allowedValues: schema15.properties.data.properties.code.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data1.message !== void 0 && func0.call(data1, "message")) {
          if (typeof data1.message !== "string") {
            const err11 = { instancePath: instancePath + "/data/message", schemaPath: "#/properties/data/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.details !== void 0 && func0.call(data1, "details")) {
          let data4 = data1.details;
          if (Array.isArray(data4)) {
            if (data4.length > 20) {
              const err12 = { instancePath: instancePath + "/data/details", schemaPath: "#/properties/data/properties/details/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
            if (data4.length < 1) {
              const err13 = { instancePath: instancePath + "/data/details", schemaPath: "#/properties/data/properties/details/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
              if (vErrors === null) {
                vErrors = [err13];
              } else {
                vErrors.push(err13);
              }
              errors++;
            }
            const len0 = data4.length;
            for (let i0 = 0; i0 < len0; i0++) {
              let data5 = data4[i0];
              if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
                if (data5.field === void 0 || !func0.call(data5, "field")) {
                  const err14 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/required", keyword: "required", params: { missingProperty: "field" }, message: "must have required property 'field'" };
                  if (vErrors === null) {
                    vErrors = [err14];
                  } else {
                    vErrors.push(err14);
                  }
                  errors++;
                }
                if (data5.code === void 0 || !func0.call(data5, "code")) {
                  const err15 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
                  if (vErrors === null) {
                    vErrors = [err15];
                  } else {
                    vErrors.push(err15);
                  }
                  errors++;
                }
                if (data5.message === void 0 || !func0.call(data5, "message")) {
                  const err16 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
                  if (vErrors === null) {
                    vErrors = [err16];
                  } else {
                    vErrors.push(err16);
                  }
                  errors++;
                }
                for (const key2 of Object.keys(data5)) {
                  if (!(key2 === "field" || key2 === "code" || key2 === "message")) {
                    const err17 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
                    if (vErrors === null) {
                      vErrors = [err17];
                    } else {
                      vErrors.push(err17);
                    }
                    errors++;
                  }
                }
                if (data5.field !== void 0 && func0.call(data5, "field")) {
                  let data6 = data5.field;
                  if (typeof data6 === "string") {
                    if (func76(data6) > 100) {
                      const err18 = { instancePath: instancePath + "/data/details/" + i0 + "/field", schemaPath: "#/properties/data/properties/details/items/properties/field/maxLength", keyword: "maxLength", params: { limit: 100 }, message: "must NOT have more than 100 characters" };
                      if (vErrors === null) {
                        vErrors = [err18];
                      } else {
                        vErrors.push(err18);
                      }
                      errors++;
                    }
                  } else {
                    const err19 = { instancePath: instancePath + "/data/details/" + i0 + "/field", schemaPath: "#/properties/data/properties/details/items/properties/field/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err19];
                    } else {
                      vErrors.push(err19);
                    }
                    errors++;
                  }
                }
                if (data5.code !== void 0 && func0.call(data5, "code")) {
                  let data7 = data5.code;
                  if (typeof data7 !== "string") {
                    const err20 = { instancePath: instancePath + "/data/details/" + i0 + "/code", schemaPath: "#/properties/data/properties/details/items/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err20];
                    } else {
                      vErrors.push(err20);
                    }
                    errors++;
                  }
                  if (!(data7 === "missing" || data7 === "unknown" || data7 === "wrong_type" || data7 === "wrong_format" || data7 === "too_short" || data7 === "too_long" || data7 === "too_small" || data7 === "too_large" || data7 === "too_many" || data7 === "repeated" || data7 === "excluded" || data7 === "blocked" || data7 === "challenged" || data7 === "spent")) {
                    const err21 = { instancePath: instancePath + "/data/details/" + i0 + "/code", schemaPath: "#/properties/data/properties/details/items/properties/code/enum", keyword: "enum", params: { allowedValues: schema15.properties.data.properties.details.items.properties.code.enum }, message: "must be equal to one of the allowed values" };
                    if (vErrors === null) {
                      vErrors = [err21];
                    } else {
                      vErrors.push(err21);
                    }
                    errors++;
                  }
                }
                if (data5.message !== void 0 && func0.call(data5, "message")) {
                  if (typeof data5.message !== "string") {
                    const err22 = { instancePath: instancePath + "/data/details/" + i0 + "/message", schemaPath: "#/properties/data/properties/details/items/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err22];
                    } else {
                      vErrors.push(err22);
                    }
                    errors++;
                  }
                }
              } else {
                const err23 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                if (vErrors === null) {
                  vErrors = [err23];
                } else {
                  vErrors.push(err23);
                }
                errors++;
              }
            }
          } else {
            const err24 = { instancePath: instancePath + "/data/details", schemaPath: "#/properties/data/properties/details/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            if (vErrors === null) {
              vErrors = [err24];
            } else {
              vErrors.push(err24);
            }
            errors++;
          }
        }
        if (data1.trace_id !== void 0 && func0.call(data1, "trace_id")) {
          let data9 = data1.trace_id;
          if (typeof data9 === "string") {
            if (!pattern0.test(data9)) {
              const err25 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
              if (vErrors === null) {
                vErrors = [err25];
              } else {
                vErrors.push(err25);
              }
              errors++;
            }
          } else {
            const err26 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err26];
            } else {
              vErrors.push(err26);
            }
            errors++;
          }
        }
      } else {
        const err27 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err27];
        } else {
          vErrors.push(err27);
        }
        errors++;
      }
    }
  } else {
    const err28 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err28];
    } else {
      vErrors.push(err28);
    }
    errors++;
  }
  validate36.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.403"] = validate37;
function validate37(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate35(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate36(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate36.errors : vErrors.concat(validate36.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate37.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.409.body"] = validate40;
var schema17 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [false] }, "data": { "type": "object", "required": ["code", "message", "trace_id"], "properties": { "code": { "type": "string", "enum": ["idempotency_key_reused", "idempotency_in_progress"] }, "message": { "type": "string" }, "trace_id": { "type": "string", "pattern": "^[0-9a-f]{32}$" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate40(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === false)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema17.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.code === void 0 || !func0.call(data1, "code")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.message === void 0 || !func0.call(data1, "message")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.trace_id === void 0 || !func0.call(data1, "trace_id")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "trace_id" }, message: "must have required property 'trace_id'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "code" || key1 === "message" || key1 === "trace_id")) {
            const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data1.code !== void 0 && func0.call(data1, "code")) {
          let data2 = data1.code;
          if (typeof data2 !== "string") {
            const err9 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
          if (!(data2 === "idempotency_key_reused" || data2 === "idempotency_in_progress")) {
            const err10 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/enum", keyword: "enum", params: { allowedValues: schema17.properties.data.properties.code.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data1.message !== void 0 && func0.call(data1, "message")) {
          if (typeof data1.message !== "string") {
            const err11 = { instancePath: instancePath + "/data/message", schemaPath: "#/properties/data/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.trace_id !== void 0 && func0.call(data1, "trace_id")) {
          let data4 = data1.trace_id;
          if (typeof data4 === "string") {
            if (!pattern0.test(data4)) {
              const err12 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
          } else {
            const err13 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
      } else {
        const err14 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
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
  validate40.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.409"] = validate41;
function validate41(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate35(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate40(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate40.errors : vErrors.concat(validate40.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate41.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.413.body"] = validate44;
var schema19 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [false] }, "data": { "type": "object", "required": ["code", "message", "trace_id"], "properties": { "code": { "type": "string", "enum": ["body_too_large"] }, "message": { "type": "string" }, "trace_id": { "type": "string", "pattern": "^[0-9a-f]{32}$" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate44(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === false)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema19.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.code === void 0 || !func0.call(data1, "code")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.message === void 0 || !func0.call(data1, "message")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.trace_id === void 0 || !func0.call(data1, "trace_id")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "trace_id" }, message: "must have required property 'trace_id'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "code" || key1 === "message" || key1 === "trace_id")) {
            const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data1.code !== void 0 && func0.call(data1, "code")) {
          let data2 = data1.code;
          if (typeof data2 !== "string") {
            const err9 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
          if (!(data2 === "body_too_large")) {
            const err10 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/enum", keyword: "enum", params: { allowedValues: schema19.properties.data.properties.code.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data1.message !== void 0 && func0.call(data1, "message")) {
          if (typeof data1.message !== "string") {
            const err11 = { instancePath: instancePath + "/data/message", schemaPath: "#/properties/data/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.trace_id !== void 0 && func0.call(data1, "trace_id")) {
          let data4 = data1.trace_id;
          if (typeof data4 === "string") {
            if (!pattern0.test(data4)) {
              const err12 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
          } else {
            const err13 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
      } else {
        const err14 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
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
  validate44.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.413"] = validate45;
function validate45(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate35(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate44(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate44.errors : vErrors.concat(validate44.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate45.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.415.body"] = validate48;
var schema21 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [false] }, "data": { "type": "object", "required": ["code", "message", "trace_id"], "properties": { "code": { "type": "string", "enum": ["unsupported_media_type"] }, "message": { "type": "string" }, "trace_id": { "type": "string", "pattern": "^[0-9a-f]{32}$" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate48(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === false)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema21.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.code === void 0 || !func0.call(data1, "code")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.message === void 0 || !func0.call(data1, "message")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.trace_id === void 0 || !func0.call(data1, "trace_id")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "trace_id" }, message: "must have required property 'trace_id'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "code" || key1 === "message" || key1 === "trace_id")) {
            const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data1.code !== void 0 && func0.call(data1, "code")) {
          let data2 = data1.code;
          if (typeof data2 !== "string") {
            const err9 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
          if (!(data2 === "unsupported_media_type")) {
            const err10 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/enum", keyword: "enum", params: { allowedValues: schema21.properties.data.properties.code.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data1.message !== void 0 && func0.call(data1, "message")) {
          if (typeof data1.message !== "string") {
            const err11 = { instancePath: instancePath + "/data/message", schemaPath: "#/properties/data/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.trace_id !== void 0 && func0.call(data1, "trace_id")) {
          let data4 = data1.trace_id;
          if (typeof data4 === "string") {
            if (!pattern0.test(data4)) {
              const err12 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
          } else {
            const err13 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
      } else {
        const err14 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
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
  validate48.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.415"] = validate49;
function validate49(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate35(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate48(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate48.errors : vErrors.concat(validate48.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate49.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.429.headers"] = validate52;
function validate52(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data["x-trace-id"] === void 0 || !func0.call(data, "x-trace-id")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "x-trace-id" }, message: "must have required property 'x-trace-id'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data["retry-after"] === void 0 || !func0.call(data, "retry-after")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "retry-after" }, message: "must have required property 'retry-after'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data["x-trace-id"] !== void 0 && func0.call(data, "x-trace-id")) {
      let data0 = data["x-trace-id"];
      if (typeof data0 === "string") {
        if (!pattern0.test(data0)) {
          const err2 = { instancePath: instancePath + "/x-trace-id", schemaPath: "#/properties/x-trace-id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
          if (vErrors === null) {
            vErrors = [err2];
          } else {
            vErrors.push(err2);
          }
          errors++;
        }
      } else {
        const err3 = { instancePath: instancePath + "/x-trace-id", schemaPath: "#/properties/x-trace-id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
    if (data["retry-after"] !== void 0 && func0.call(data, "retry-after")) {
      let data1 = data["retry-after"];
      if (!(typeof data1 == "number" && (!(data1 % 1) && !isNaN(data1)) && isFinite(data1))) {
        const err4 = { instancePath: instancePath + "/retry-after", schemaPath: "#/properties/retry-after/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
      if (typeof data1 == "number" && isFinite(data1)) {
        if (data1 < 1 || isNaN(data1)) {
          const err5 = { instancePath: instancePath + "/retry-after", schemaPath: "#/properties/retry-after/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
      }
    }
  } else {
    const err6 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err6];
    } else {
      vErrors.push(err6);
    }
    errors++;
  }
  validate52.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.429.body"] = validate53;
var schema24 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [false] }, "data": { "type": "object", "required": ["code", "message", "retry_after", "trace_id"], "properties": { "code": { "type": "string", "enum": ["resend_cooldown", "send_limit_reached", "rate_limited"] }, "message": { "type": "string" }, "retry_after": { "type": "integer", "minimum": 1 }, "trace_id": { "type": "string", "pattern": "^[0-9a-f]{32}$" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate53(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === false)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema24.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.code === void 0 || !func0.call(data1, "code")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.message === void 0 || !func0.call(data1, "message")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.retry_after === void 0 || !func0.call(data1, "retry_after")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "retry_after" }, message: "must have required property 'retry_after'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        if (data1.trace_id === void 0 || !func0.call(data1, "trace_id")) {
          const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "trace_id" }, message: "must have required property 'trace_id'" };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "code" || key1 === "message" || key1 === "retry_after" || key1 === "trace_id")) {
            const err9 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
        }
        if (data1.code !== void 0 && func0.call(data1, "code")) {
          let data2 = data1.code;
          if (typeof data2 !== "string") {
            const err10 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
          if (!(data2 === "resend_cooldown" || data2 === "send_limit_reached" || data2 === "rate_limited")) {
            const err11 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/enum", keyword: "enum", params: { allowedValues: schema24.properties.data.properties.code.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.message !== void 0 && func0.call(data1, "message")) {
          if (typeof data1.message !== "string") {
            const err12 = { instancePath: instancePath + "/data/message", schemaPath: "#/properties/data/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err12];
            } else {
              vErrors.push(err12);
            }
            errors++;
          }
        }
        if (data1.retry_after !== void 0 && func0.call(data1, "retry_after")) {
          let data4 = data1.retry_after;
          if (!(typeof data4 == "number" && (!(data4 % 1) && !isNaN(data4)) && isFinite(data4))) {
            const err13 = { instancePath: instancePath + "/data/retry_after", schemaPath: "#/properties/data/properties/retry_after/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
          if (typeof data4 == "number" && isFinite(data4)) {
            if (data4 < 1 || isNaN(data4)) {
              const err14 = { instancePath: instancePath + "/data/retry_after", schemaPath: "#/properties/data/properties/retry_after/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              if (vErrors === null) {
                vErrors = [err14];
              } else {
                vErrors.push(err14);
              }
              errors++;
            }
          }
        }
        if (data1.trace_id !== void 0 && func0.call(data1, "trace_id")) {
          let data5 = data1.trace_id;
          if (typeof data5 === "string") {
            if (!pattern0.test(data5)) {
              const err15 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
              if (vErrors === null) {
                vErrors = [err15];
              } else {
                vErrors.push(err15);
              }
              errors++;
            }
          } else {
            const err16 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err16];
            } else {
              vErrors.push(err16);
            }
            errors++;
          }
        }
      } else {
        const err17 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
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
  validate53.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.429"] = validate54;
function validate54(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate52(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate52.errors : vErrors.concat(validate52.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate53(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate54.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.500.body"] = validate57;
var schema26 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [false] }, "data": { "type": "object", "required": ["code", "message", "trace_id"], "properties": { "code": { "type": "string", "enum": ["internal_error"] }, "message": { "type": "string" }, "trace_id": { "type": "string", "pattern": "^[0-9a-f]{32}$" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate57(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === false)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema26.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.code === void 0 || !func0.call(data1, "code")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.message === void 0 || !func0.call(data1, "message")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.trace_id === void 0 || !func0.call(data1, "trace_id")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "trace_id" }, message: "must have required property 'trace_id'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "code" || key1 === "message" || key1 === "trace_id")) {
            const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data1.code !== void 0 && func0.call(data1, "code")) {
          let data2 = data1.code;
          if (typeof data2 !== "string") {
            const err9 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
          if (!(data2 === "internal_error")) {
            const err10 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/enum", keyword: "enum", params: { allowedValues: schema26.properties.data.properties.code.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data1.message !== void 0 && func0.call(data1, "message")) {
          if (typeof data1.message !== "string") {
            const err11 = { instancePath: instancePath + "/data/message", schemaPath: "#/properties/data/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.trace_id !== void 0 && func0.call(data1, "trace_id")) {
          let data4 = data1.trace_id;
          if (typeof data4 === "string") {
            if (!pattern0.test(data4)) {
              const err12 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
          } else {
            const err13 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
      } else {
        const err14 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
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
  validate57.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.500"] = validate58;
function validate58(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate35(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate57(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate57.errors : vErrors.concat(validate57.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate58.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.503.body"] = validate61;
var schema28 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [false] }, "data": { "type": "object", "required": ["code", "message", "retry_after", "trace_id"], "properties": { "code": { "type": "string", "enum": ["service_unavailable"] }, "message": { "type": "string" }, "retry_after": { "type": "integer", "minimum": 1 }, "trace_id": { "type": "string", "pattern": "^[0-9a-f]{32}$" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate61(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === false)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema28.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.code === void 0 || !func0.call(data1, "code")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.message === void 0 || !func0.call(data1, "message")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.retry_after === void 0 || !func0.call(data1, "retry_after")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "retry_after" }, message: "must have required property 'retry_after'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        if (data1.trace_id === void 0 || !func0.call(data1, "trace_id")) {
          const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "trace_id" }, message: "must have required property 'trace_id'" };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "code" || key1 === "message" || key1 === "retry_after" || key1 === "trace_id")) {
            const err9 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
        }
        if (data1.code !== void 0 && func0.call(data1, "code")) {
          let data2 = data1.code;
          if (typeof data2 !== "string") {
            const err10 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
          if (!(data2 === "service_unavailable")) {
            const err11 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/enum", keyword: "enum", params: { allowedValues: schema28.properties.data.properties.code.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.message !== void 0 && func0.call(data1, "message")) {
          if (typeof data1.message !== "string") {
            const err12 = { instancePath: instancePath + "/data/message", schemaPath: "#/properties/data/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err12];
            } else {
              vErrors.push(err12);
            }
            errors++;
          }
        }
        if (data1.retry_after !== void 0 && func0.call(data1, "retry_after")) {
          let data4 = data1.retry_after;
          if (!(typeof data4 == "number" && (!(data4 % 1) && !isNaN(data4)) && isFinite(data4))) {
            const err13 = { instancePath: instancePath + "/data/retry_after", schemaPath: "#/properties/data/properties/retry_after/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
          if (typeof data4 == "number" && isFinite(data4)) {
            if (data4 < 1 || isNaN(data4)) {
              const err14 = { instancePath: instancePath + "/data/retry_after", schemaPath: "#/properties/data/properties/retry_after/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              if (vErrors === null) {
                vErrors = [err14];
              } else {
                vErrors.push(err14);
              }
              errors++;
            }
          }
        }
        if (data1.trace_id !== void 0 && func0.call(data1, "trace_id")) {
          let data5 = data1.trace_id;
          if (typeof data5 === "string") {
            if (!pattern0.test(data5)) {
              const err15 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
              if (vErrors === null) {
                vErrors = [err15];
              } else {
                vErrors.push(err15);
              }
              errors++;
            }
          } else {
            const err16 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err16];
            } else {
              vErrors.push(err16);
            }
            errors++;
          }
        }
      } else {
        const err17 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
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
  validate61.errors = vErrors;
  return errors === 0;
}
exports["sendVerification.503"] = validate62;
function validate62(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate52(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate52.errors : vErrors.concat(validate52.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate61(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate62.errors = vErrors;
  return errors === 0;
}
exports["checkVerification.200.body"] = validate65;
var schema30 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [true] }, "data": { "discriminator": { "propertyName": "result", "mapping": { "verified": "#/components/schemas/Verified", "not_verified": "#/components/schemas/NotVerified" } }, "oneOf": [{ "type": "object", "description": "The code matched.", "required": ["result", "verified", "timestamp"], "properties": { "result": { "type": "string", "description": "Always `verified`.", "enum": ["verified"], "example": "verified" }, "verified": { "type": "boolean", "description": "Always `true`.", "x-always": true, "example": true }, "timestamp": { "type": "string", "format": "date-time", "description": "ISO 8601 date and time in UTC, with milliseconds.", "example": "2026-11-21T09:30:00.000Z" }, "receipt": { "type": "string", "description": "A receipt, if one was requested: a JWS in its compact form, signed with EdDSA, valid for 10 minutes. Its claims\nare `iss`, `aud`, `iat`, `exp`, `jti` (the `request_id`), `phone_number`, `phone_number_verified`, `account`\n(the id of the account whose key made the request, so that services can reject receipts of other accounts),\n`channel` (the id of the connection that delivered the code) and `nonce`; with a test key also `mode`, which is\n`test`. The public keys are at `/.well-known/jwks.json`, those of test keys at `/.well-known/jwks-test.json`.\n", "pattern": "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$", "x-pattern-words": "must be a JWS in compact form", "example": "eyJhbGciOiJFZERTQSIsInR5cCI6IndhdGNod29yZC1yZWNlaXB0K2p3dCIsImtpZCI6ImtQcktfcW14VldhWVZBOXd3QkY2SXVvM3ZWeno3VHhIQ1R3WEJ5Z3JTNGsifQ.eyJwaG9uZV9udW1iZXIiOiIrMTQxNTU1NTAxMDAiLCJwaG9uZV9udW1iZXJfdmVyaWZpZWQiOnRydWUsImNoYW5uZWwiOiJzYW5kYm94Iiwibm9uY2UiOiJuLTBTNiIsIm1vZGUiOiJ0ZXN0IiwiaXNzIjoiaHR0cHM6Ly9vdHAuYWNtZS5jb20iLCJhdWQiOiJzaG9wIiwiaWF0IjoxNzk1MjUzNDAwLCJleHAiOjE3OTUyNTQwMDAsImp0aSI6InJlcV8wMUtBSjBSNlc4WjNUNVY3WDlZMUIyQzRENiJ9.-O6iC7JUx_00Je8thAyMt_rRtwGQaHwa464AEdjxI7j6gUzlKh1fvsW9iOtD9P4FHN4VTSsG09eIDIQw9NN5Ag" }, "receipt_unavailable": { "type": "string", "description": "Why there is no receipt, although one was requested and the code was right.\n\n* `custom_code`: your own system generated the code, so it knew the code before the phone did. A receipt proves\n  that a code came back that only the phone had.\n\nThe list may grow. Whatever the value is, the phone is verified and there is no receipt.\n", "x-may-grow": true, "enum": ["custom_code"], "example": "custom_code" } } }, { "type": "object", "description": "The code did not match, or could no longer be compared.", "required": ["result", "verified", "timestamp", "reason", "attempts_remaining"], "properties": { "result": { "type": "string", "description": "Always `not_verified`.", "enum": ["not_verified"], "example": "not_verified" }, "verified": { "type": "boolean", "description": "Always `false`.", "x-always": false, "example": false }, "timestamp": { "type": "string", "format": "date-time", "description": "ISO 8601 date and time in UTC, with milliseconds.", "example": "2026-11-21T09:30:00.000Z" }, "reason": { "type": "string", "description": "* `incorrect_code`: the code is wrong, and attempts are left.\n* `attempts_exhausted`: this was the last attempt, or no attempts were left.\n* `expired`: the code has expired.\n* `already_verified`: the code was already used.\n* `superseded`: a newer code was sent to this phone.\n\nThe list may grow. If you do not know a value, `attempts_remaining` says whether another code can be tried.\n", "x-may-grow": true, "enum": ["incorrect_code", "attempts_exhausted", "expired", "already_verified", "superseded"], "example": "incorrect_code" }, "attempts_remaining": { "type": "integer", "description": "The number of attempts left for this request; 0 unless `reason` is `incorrect_code`.", "minimum": 0, "maximum": 4, "example": 4 } } }], "anyOf": [{ "discriminator": { "propertyName": "result", "mapping": { "verified": "#/components/schemas/Verified", "not_verified": "#/components/schemas/NotVerified" } }, "type": "object", "required": ["result", "verified", "timestamp"], "properties": { "result": { "type": "string", "enum": ["verified"] }, "verified": { "type": "boolean", "enum": [true] }, "timestamp": { "type": "string", "format": "date-time" }, "receipt": { "type": "string", "pattern": "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$" }, "receipt_unavailable": { "type": "string", "enum": ["custom_code"] } }, "additionalProperties": false }, { "discriminator": { "propertyName": "result", "mapping": { "verified": "#/components/schemas/Verified", "not_verified": "#/components/schemas/NotVerified" } }, "type": "object", "required": ["result", "verified", "timestamp", "reason", "attempts_remaining"], "properties": { "result": { "type": "string", "enum": ["not_verified"] }, "verified": { "type": "boolean", "enum": [false] }, "timestamp": { "type": "string", "format": "date-time" }, "reason": { "type": "string", "enum": ["incorrect_code", "attempts_exhausted", "expired", "already_verified", "superseded"] }, "attempts_remaining": { "type": "integer", "minimum": 0, "maximum": 4 } }, "additionalProperties": false }] } }, "additionalProperties": false };
var formats0 = require_formats().fullFormats["date-time"];
var pattern14 = new RegExp("^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$", "u");
function validate65(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === true)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema30.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      const _errs5 = errors;
      let valid1 = false;
      const _errs6 = errors;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.result === void 0 || !func0.call(data1, "result")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/0/required", keyword: "required", params: { missingProperty: "result" }, message: "must have required property 'result'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.verified === void 0 || !func0.call(data1, "verified")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/0/required", keyword: "required", params: { missingProperty: "verified" }, message: "must have required property 'verified'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.timestamp === void 0 || !func0.call(data1, "timestamp")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/0/required", keyword: "required", params: { missingProperty: "timestamp" }, message: "must have required property 'timestamp'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "result" || key1 === "verified" || key1 === "timestamp" || key1 === "receipt" || key1 === "receipt_unavailable")) {
            const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/0/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data1.result !== void 0 && func0.call(data1, "result")) {
          let data2 = data1.result;
          if (typeof data2 !== "string") {
            const err9 = { instancePath: instancePath + "/data/result", schemaPath: "#/properties/data/anyOf/0/properties/result/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
          if (!(data2 === "verified")) {
            const err10 = { instancePath: instancePath + "/data/result", schemaPath: "#/properties/data/anyOf/0/properties/result/enum", keyword: "enum", params: { allowedValues: schema30.properties.data.anyOf[0].properties.result.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data1.verified !== void 0 && func0.call(data1, "verified")) {
          let data3 = data1.verified;
          if (typeof data3 !== "boolean") {
            const err11 = { instancePath: instancePath + "/data/verified", schemaPath: "#/properties/data/anyOf/0/properties/verified/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
          if (!(data3 === true)) {
            const err12 = { instancePath: instancePath + "/data/verified", schemaPath: "#/properties/data/anyOf/0/properties/verified/enum", keyword: "enum", params: { allowedValues: schema30.properties.data.anyOf[0].properties.verified.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err12];
            } else {
              vErrors.push(err12);
            }
            errors++;
          }
        }
        if (data1.timestamp !== void 0 && func0.call(data1, "timestamp")) {
          let data4 = data1.timestamp;
          if (typeof data4 === "string") {
            if (!formats0.validate(data4)) {
              const err13 = { instancePath: instancePath + "/data/timestamp", schemaPath: "#/properties/data/anyOf/0/properties/timestamp/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
              if (vErrors === null) {
                vErrors = [err13];
              } else {
                vErrors.push(err13);
              }
              errors++;
            }
          } else {
            const err14 = { instancePath: instancePath + "/data/timestamp", schemaPath: "#/properties/data/anyOf/0/properties/timestamp/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err14];
            } else {
              vErrors.push(err14);
            }
            errors++;
          }
        }
        if (data1.receipt !== void 0 && func0.call(data1, "receipt")) {
          let data5 = data1.receipt;
          if (typeof data5 === "string") {
            if (!pattern14.test(data5)) {
              const err15 = { instancePath: instancePath + "/data/receipt", schemaPath: "#/properties/data/anyOf/0/properties/receipt/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$" }, message: 'must match pattern "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$"' };
              if (vErrors === null) {
                vErrors = [err15];
              } else {
                vErrors.push(err15);
              }
              errors++;
            }
          } else {
            const err16 = { instancePath: instancePath + "/data/receipt", schemaPath: "#/properties/data/anyOf/0/properties/receipt/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err16];
            } else {
              vErrors.push(err16);
            }
            errors++;
          }
        }
        if (data1.receipt_unavailable !== void 0 && func0.call(data1, "receipt_unavailable")) {
          let data6 = data1.receipt_unavailable;
          if (typeof data6 !== "string") {
            const err17 = { instancePath: instancePath + "/data/receipt_unavailable", schemaPath: "#/properties/data/anyOf/0/properties/receipt_unavailable/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err17];
            } else {
              vErrors.push(err17);
            }
            errors++;
          }
          if (!(data6 === "custom_code")) {
            const err18 = { instancePath: instancePath + "/data/receipt_unavailable", schemaPath: "#/properties/data/anyOf/0/properties/receipt_unavailable/enum", keyword: "enum", params: { allowedValues: schema30.properties.data.anyOf[0].properties.receipt_unavailable.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err18];
            } else {
              vErrors.push(err18);
            }
            errors++;
          }
        }
      } else {
        const err19 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/0/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err19];
        } else {
          vErrors.push(err19);
        }
        errors++;
      }
      var _valid0 = _errs6 === errors;
      valid1 = valid1 || _valid0;
      if (!valid1) {
        const _errs19 = errors;
        if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
          if (data1.result === void 0 || !func0.call(data1, "result")) {
            const err20 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/1/required", keyword: "required", params: { missingProperty: "result" }, message: "must have required property 'result'" };
            if (vErrors === null) {
              vErrors = [err20];
            } else {
              vErrors.push(err20);
            }
            errors++;
          }
          if (data1.verified === void 0 || !func0.call(data1, "verified")) {
            const err21 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/1/required", keyword: "required", params: { missingProperty: "verified" }, message: "must have required property 'verified'" };
            if (vErrors === null) {
              vErrors = [err21];
            } else {
              vErrors.push(err21);
            }
            errors++;
          }
          if (data1.timestamp === void 0 || !func0.call(data1, "timestamp")) {
            const err22 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/1/required", keyword: "required", params: { missingProperty: "timestamp" }, message: "must have required property 'timestamp'" };
            if (vErrors === null) {
              vErrors = [err22];
            } else {
              vErrors.push(err22);
            }
            errors++;
          }
          if (data1.reason === void 0 || !func0.call(data1, "reason")) {
            const err23 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/1/required", keyword: "required", params: { missingProperty: "reason" }, message: "must have required property 'reason'" };
            if (vErrors === null) {
              vErrors = [err23];
            } else {
              vErrors.push(err23);
            }
            errors++;
          }
          if (data1.attempts_remaining === void 0 || !func0.call(data1, "attempts_remaining")) {
            const err24 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/1/required", keyword: "required", params: { missingProperty: "attempts_remaining" }, message: "must have required property 'attempts_remaining'" };
            if (vErrors === null) {
              vErrors = [err24];
            } else {
              vErrors.push(err24);
            }
            errors++;
          }
          for (const key2 of Object.keys(data1)) {
            if (!(key2 === "result" || key2 === "verified" || key2 === "timestamp" || key2 === "reason" || key2 === "attempts_remaining")) {
              const err25 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/1/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
              if (vErrors === null) {
                vErrors = [err25];
              } else {
                vErrors.push(err25);
              }
              errors++;
            }
          }
          if (data1.result !== void 0 && func0.call(data1, "result")) {
            let data7 = data1.result;
            if (typeof data7 !== "string") {
              const err26 = { instancePath: instancePath + "/data/result", schemaPath: "#/properties/data/anyOf/1/properties/result/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              if (vErrors === null) {
                vErrors = [err26];
              } else {
                vErrors.push(err26);
              }
              errors++;
            }
            if (!(data7 === "not_verified")) {
              const err27 = { instancePath: instancePath + "/data/result", schemaPath: "#/properties/data/anyOf/1/properties/result/enum", keyword: "enum", params: { allowedValues: schema30.properties.data.anyOf[1].properties.result.enum }, message: "must be equal to one of the allowed values" };
              if (vErrors === null) {
                vErrors = [err27];
              } else {
                vErrors.push(err27);
              }
              errors++;
            }
          }
          if (data1.verified !== void 0 && func0.call(data1, "verified")) {
            let data8 = data1.verified;
            if (typeof data8 !== "boolean") {
              const err28 = { instancePath: instancePath + "/data/verified", schemaPath: "#/properties/data/anyOf/1/properties/verified/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
              if (vErrors === null) {
                vErrors = [err28];
              } else {
                vErrors.push(err28);
              }
              errors++;
            }
            if (!(data8 === false)) {
              const err29 = { instancePath: instancePath + "/data/verified", schemaPath: "#/properties/data/anyOf/1/properties/verified/enum", keyword: "enum", params: { allowedValues: schema30.properties.data.anyOf[1].properties.verified.enum }, message: "must be equal to one of the allowed values" };
              if (vErrors === null) {
                vErrors = [err29];
              } else {
                vErrors.push(err29);
              }
              errors++;
            }
          }
          if (data1.timestamp !== void 0 && func0.call(data1, "timestamp")) {
            let data9 = data1.timestamp;
            if (typeof data9 === "string") {
              if (!formats0.validate(data9)) {
                const err30 = { instancePath: instancePath + "/data/timestamp", schemaPath: "#/properties/data/anyOf/1/properties/timestamp/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
                if (vErrors === null) {
                  vErrors = [err30];
                } else {
                  vErrors.push(err30);
                }
                errors++;
              }
            } else {
              const err31 = { instancePath: instancePath + "/data/timestamp", schemaPath: "#/properties/data/anyOf/1/properties/timestamp/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              if (vErrors === null) {
                vErrors = [err31];
              } else {
                vErrors.push(err31);
              }
              errors++;
            }
          }
          if (data1.reason !== void 0 && func0.call(data1, "reason")) {
            let data10 = data1.reason;
            if (typeof data10 !== "string") {
              const err32 = { instancePath: instancePath + "/data/reason", schemaPath: "#/properties/data/anyOf/1/properties/reason/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              if (vErrors === null) {
                vErrors = [err32];
              } else {
                vErrors.push(err32);
              }
              errors++;
            }
            if (!(data10 === "incorrect_code" || data10 === "attempts_exhausted" || data10 === "expired" || data10 === "already_verified" || data10 === "superseded")) {
              const err33 = { instancePath: instancePath + "/data/reason", schemaPath: "#/properties/data/anyOf/1/properties/reason/enum", keyword: "enum", params: { allowedValues: schema30.properties.data.anyOf[1].properties.reason.enum }, message: "must be equal to one of the allowed values" };
              if (vErrors === null) {
                vErrors = [err33];
              } else {
                vErrors.push(err33);
              }
              errors++;
            }
          }
          if (data1.attempts_remaining !== void 0 && func0.call(data1, "attempts_remaining")) {
            let data11 = data1.attempts_remaining;
            if (!(typeof data11 == "number" && (!(data11 % 1) && !isNaN(data11)) && isFinite(data11))) {
              const err34 = { instancePath: instancePath + "/data/attempts_remaining", schemaPath: "#/properties/data/anyOf/1/properties/attempts_remaining/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
              if (vErrors === null) {
                vErrors = [err34];
              } else {
                vErrors.push(err34);
              }
              errors++;
            }
            if (typeof data11 == "number" && isFinite(data11)) {
              if (data11 > 4 || isNaN(data11)) {
                const err35 = { instancePath: instancePath + "/data/attempts_remaining", schemaPath: "#/properties/data/anyOf/1/properties/attempts_remaining/maximum", keyword: "maximum", params: { comparison: "<=", limit: 4 }, message: "must be <= 4" };
                if (vErrors === null) {
                  vErrors = [err35];
                } else {
                  vErrors.push(err35);
                }
                errors++;
              }
              if (data11 < 0 || isNaN(data11)) {
                const err36 = { instancePath: instancePath + "/data/attempts_remaining", schemaPath: "#/properties/data/anyOf/1/properties/attempts_remaining/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                if (vErrors === null) {
                  vErrors = [err36];
                } else {
                  vErrors.push(err36);
                }
                errors++;
              }
            }
          }
        } else {
          const err37 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
          if (vErrors === null) {
            vErrors = [err37];
          } else {
            vErrors.push(err37);
          }
          errors++;
        }
        var _valid0 = _errs19 === errors;
        valid1 = valid1 || _valid0;
      }
      if (!valid1) {
        const err38 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
        if (vErrors === null) {
          vErrors = [err38];
        } else {
          vErrors.push(err38);
        }
        errors++;
      } else {
        errors = _errs5;
        if (vErrors !== null) {
          if (_errs5) {
            vErrors.length = _errs5;
          } else {
            vErrors = null;
          }
        }
      }
      const _errs32 = errors;
      let valid4 = false;
      let passing0 = null;
      const _errs33 = errors;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.result === void 0 || !func0.call(data1, "result")) {
          const err39 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf/0/required", keyword: "required", params: { missingProperty: "result" }, message: "must have required property 'result'" };
          if (vErrors === null) {
            vErrors = [err39];
          } else {
            vErrors.push(err39);
          }
          errors++;
        }
        if (data1.verified === void 0 || !func0.call(data1, "verified")) {
          const err40 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf/0/required", keyword: "required", params: { missingProperty: "verified" }, message: "must have required property 'verified'" };
          if (vErrors === null) {
            vErrors = [err40];
          } else {
            vErrors.push(err40);
          }
          errors++;
        }
        if (data1.timestamp === void 0 || !func0.call(data1, "timestamp")) {
          const err41 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf/0/required", keyword: "required", params: { missingProperty: "timestamp" }, message: "must have required property 'timestamp'" };
          if (vErrors === null) {
            vErrors = [err41];
          } else {
            vErrors.push(err41);
          }
          errors++;
        }
        if (data1.result !== void 0 && func0.call(data1, "result")) {
          let data12 = data1.result;
          if (typeof data12 !== "string") {
            const err42 = { instancePath: instancePath + "/data/result", schemaPath: "#/properties/data/oneOf/0/properties/result/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err42];
            } else {
              vErrors.push(err42);
            }
            errors++;
          }
          if (!(data12 === "verified")) {
            const err43 = { instancePath: instancePath + "/data/result", schemaPath: "#/properties/data/oneOf/0/properties/result/enum", keyword: "enum", params: { allowedValues: schema30.properties.data.oneOf[0].properties.result.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err43];
            } else {
              vErrors.push(err43);
            }
            errors++;
          }
        }
        if (data1.verified !== void 0 && func0.call(data1, "verified")) {
          if (typeof data1.verified !== "boolean") {
            const err44 = { instancePath: instancePath + "/data/verified", schemaPath: "#/properties/data/oneOf/0/properties/verified/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
            if (vErrors === null) {
              vErrors = [err44];
            } else {
              vErrors.push(err44);
            }
            errors++;
          }
        }
        if (data1.timestamp !== void 0 && func0.call(data1, "timestamp")) {
          let data14 = data1.timestamp;
          if (typeof data14 === "string") {
            if (!formats0.validate(data14)) {
              const err45 = { instancePath: instancePath + "/data/timestamp", schemaPath: "#/properties/data/oneOf/0/properties/timestamp/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
              if (vErrors === null) {
                vErrors = [err45];
              } else {
                vErrors.push(err45);
              }
              errors++;
            }
          } else {
            const err46 = { instancePath: instancePath + "/data/timestamp", schemaPath: "#/properties/data/oneOf/0/properties/timestamp/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err46];
            } else {
              vErrors.push(err46);
            }
            errors++;
          }
        }
        if (data1.receipt !== void 0 && func0.call(data1, "receipt")) {
          let data15 = data1.receipt;
          if (typeof data15 === "string") {
            if (!pattern14.test(data15)) {
              const err47 = { instancePath: instancePath + "/data/receipt", schemaPath: "#/properties/data/oneOf/0/properties/receipt/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$" }, message: 'must match pattern "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$"' };
              if (vErrors === null) {
                vErrors = [err47];
              } else {
                vErrors.push(err47);
              }
              errors++;
            }
          } else {
            const err48 = { instancePath: instancePath + "/data/receipt", schemaPath: "#/properties/data/oneOf/0/properties/receipt/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err48];
            } else {
              vErrors.push(err48);
            }
            errors++;
          }
        }
        if (data1.receipt_unavailable !== void 0 && func0.call(data1, "receipt_unavailable")) {
          let data16 = data1.receipt_unavailable;
          if (typeof data16 !== "string") {
            const err49 = { instancePath: instancePath + "/data/receipt_unavailable", schemaPath: "#/properties/data/oneOf/0/properties/receipt_unavailable/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err49];
            } else {
              vErrors.push(err49);
            }
            errors++;
          }
          if (!(data16 === "custom_code")) {
            const err50 = { instancePath: instancePath + "/data/receipt_unavailable", schemaPath: "#/properties/data/oneOf/0/properties/receipt_unavailable/enum", keyword: "enum", params: { allowedValues: schema30.properties.data.oneOf[0].properties.receipt_unavailable.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err50];
            } else {
              vErrors.push(err50);
            }
            errors++;
          }
        }
      } else {
        const err51 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf/0/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err51];
        } else {
          vErrors.push(err51);
        }
        errors++;
      }
      var _valid1 = _errs33 === errors;
      if (_valid1) {
        valid4 = true;
        passing0 = 0;
      }
      const _errs45 = errors;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.result === void 0 || !func0.call(data1, "result")) {
          const err52 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf/1/required", keyword: "required", params: { missingProperty: "result" }, message: "must have required property 'result'" };
          if (vErrors === null) {
            vErrors = [err52];
          } else {
            vErrors.push(err52);
          }
          errors++;
        }
        if (data1.verified === void 0 || !func0.call(data1, "verified")) {
          const err53 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf/1/required", keyword: "required", params: { missingProperty: "verified" }, message: "must have required property 'verified'" };
          if (vErrors === null) {
            vErrors = [err53];
          } else {
            vErrors.push(err53);
          }
          errors++;
        }
        if (data1.timestamp === void 0 || !func0.call(data1, "timestamp")) {
          const err54 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf/1/required", keyword: "required", params: { missingProperty: "timestamp" }, message: "must have required property 'timestamp'" };
          if (vErrors === null) {
            vErrors = [err54];
          } else {
            vErrors.push(err54);
          }
          errors++;
        }
        if (data1.reason === void 0 || !func0.call(data1, "reason")) {
          const err55 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf/1/required", keyword: "required", params: { missingProperty: "reason" }, message: "must have required property 'reason'" };
          if (vErrors === null) {
            vErrors = [err55];
          } else {
            vErrors.push(err55);
          }
          errors++;
        }
        if (data1.attempts_remaining === void 0 || !func0.call(data1, "attempts_remaining")) {
          const err56 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf/1/required", keyword: "required", params: { missingProperty: "attempts_remaining" }, message: "must have required property 'attempts_remaining'" };
          if (vErrors === null) {
            vErrors = [err56];
          } else {
            vErrors.push(err56);
          }
          errors++;
        }
        if (data1.result !== void 0 && func0.call(data1, "result")) {
          let data17 = data1.result;
          if (typeof data17 !== "string") {
            const err57 = { instancePath: instancePath + "/data/result", schemaPath: "#/properties/data/oneOf/1/properties/result/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err57];
            } else {
              vErrors.push(err57);
            }
            errors++;
          }
          if (!(data17 === "not_verified")) {
            const err58 = { instancePath: instancePath + "/data/result", schemaPath: "#/properties/data/oneOf/1/properties/result/enum", keyword: "enum", params: { allowedValues: schema30.properties.data.oneOf[1].properties.result.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err58];
            } else {
              vErrors.push(err58);
            }
            errors++;
          }
        }
        if (data1.verified !== void 0 && func0.call(data1, "verified")) {
          if (typeof data1.verified !== "boolean") {
            const err59 = { instancePath: instancePath + "/data/verified", schemaPath: "#/properties/data/oneOf/1/properties/verified/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
            if (vErrors === null) {
              vErrors = [err59];
            } else {
              vErrors.push(err59);
            }
            errors++;
          }
        }
        if (data1.timestamp !== void 0 && func0.call(data1, "timestamp")) {
          let data19 = data1.timestamp;
          if (typeof data19 === "string") {
            if (!formats0.validate(data19)) {
              const err60 = { instancePath: instancePath + "/data/timestamp", schemaPath: "#/properties/data/oneOf/1/properties/timestamp/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
              if (vErrors === null) {
                vErrors = [err60];
              } else {
                vErrors.push(err60);
              }
              errors++;
            }
          } else {
            const err61 = { instancePath: instancePath + "/data/timestamp", schemaPath: "#/properties/data/oneOf/1/properties/timestamp/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err61];
            } else {
              vErrors.push(err61);
            }
            errors++;
          }
        }
        if (data1.reason !== void 0 && func0.call(data1, "reason")) {
          let data20 = data1.reason;
          if (typeof data20 !== "string") {
            const err62 = { instancePath: instancePath + "/data/reason", schemaPath: "#/properties/data/oneOf/1/properties/reason/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err62];
            } else {
              vErrors.push(err62);
            }
            errors++;
          }
          if (!(data20 === "incorrect_code" || data20 === "attempts_exhausted" || data20 === "expired" || data20 === "already_verified" || data20 === "superseded")) {
            const err63 = { instancePath: instancePath + "/data/reason", schemaPath: "#/properties/data/oneOf/1/properties/reason/enum", keyword: "enum", params: { allowedValues: schema30.properties.data.oneOf[1].properties.reason.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err63];
            } else {
              vErrors.push(err63);
            }
            errors++;
          }
        }
        if (data1.attempts_remaining !== void 0 && func0.call(data1, "attempts_remaining")) {
          let data21 = data1.attempts_remaining;
          if (!(typeof data21 == "number" && (!(data21 % 1) && !isNaN(data21)) && isFinite(data21))) {
            const err64 = { instancePath: instancePath + "/data/attempts_remaining", schemaPath: "#/properties/data/oneOf/1/properties/attempts_remaining/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            if (vErrors === null) {
              vErrors = [err64];
            } else {
              vErrors.push(err64);
            }
            errors++;
          }
          if (typeof data21 == "number" && isFinite(data21)) {
            if (data21 > 4 || isNaN(data21)) {
              const err65 = { instancePath: instancePath + "/data/attempts_remaining", schemaPath: "#/properties/data/oneOf/1/properties/attempts_remaining/maximum", keyword: "maximum", params: { comparison: "<=", limit: 4 }, message: "must be <= 4" };
              if (vErrors === null) {
                vErrors = [err65];
              } else {
                vErrors.push(err65);
              }
              errors++;
            }
            if (data21 < 0 || isNaN(data21)) {
              const err66 = { instancePath: instancePath + "/data/attempts_remaining", schemaPath: "#/properties/data/oneOf/1/properties/attempts_remaining/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
              if (vErrors === null) {
                vErrors = [err66];
              } else {
                vErrors.push(err66);
              }
              errors++;
            }
          }
        }
      } else {
        const err67 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err67];
        } else {
          vErrors.push(err67);
        }
        errors++;
      }
      var _valid1 = _errs45 === errors;
      if (_valid1 && valid4) {
        valid4 = false;
        passing0 = [passing0, 1];
      } else {
        if (_valid1) {
          valid4 = true;
          passing0 = 1;
        }
      }
      if (!valid4) {
        const err68 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf", keyword: "oneOf", params: { passingSchemas: passing0 }, message: "must match exactly one schema in oneOf" };
        if (vErrors === null) {
          vErrors = [err68];
        } else {
          vErrors.push(err68);
        }
        errors++;
      } else {
        errors = _errs32;
        if (vErrors !== null) {
          if (_errs32) {
            vErrors.length = _errs32;
          } else {
            vErrors = null;
          }
        }
      }
    }
  } else {
    const err69 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err69];
    } else {
      vErrors.push(err69);
    }
    errors++;
  }
  validate65.errors = vErrors;
  return errors === 0;
}
exports["checkVerification.200"] = validate66;
function validate66(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate21(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate65(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate66.errors = vErrors;
  return errors === 0;
}
exports["checkVerification.400.body"] = validate69;
var schema32 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [false] }, "data": { "type": "object", "required": ["code", "message", "trace_id"], "properties": { "code": { "type": "string", "enum": ["invalid_json", "invalid_request"] }, "message": { "type": "string" }, "details": { "type": "array", "minItems": 1, "maxItems": 20, "items": { "type": "object", "required": ["field", "code", "message"], "properties": { "field": { "type": "string", "maxLength": 100 }, "code": { "type": "string", "enum": ["missing", "unknown", "wrong_type", "wrong_format", "too_short", "too_long", "too_small", "too_large", "too_many", "repeated", "excluded", "blocked", "challenged", "spent"] }, "message": { "type": "string" } }, "additionalProperties": false } }, "trace_id": { "type": "string", "pattern": "^[0-9a-f]{32}$" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate69(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === false)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema32.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.code === void 0 || !func0.call(data1, "code")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.message === void 0 || !func0.call(data1, "message")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.trace_id === void 0 || !func0.call(data1, "trace_id")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "trace_id" }, message: "must have required property 'trace_id'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "code" || key1 === "message" || key1 === "details" || key1 === "trace_id")) {
            const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data1.code !== void 0 && func0.call(data1, "code")) {
          let data2 = data1.code;
          if (typeof data2 !== "string") {
            const err9 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
          if (!(data2 === "invalid_json" || data2 === "invalid_request")) {
            const err10 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/enum", keyword: "enum", params: { allowedValues: schema32.properties.data.properties.code.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data1.message !== void 0 && func0.call(data1, "message")) {
          if (typeof data1.message !== "string") {
            const err11 = { instancePath: instancePath + "/data/message", schemaPath: "#/properties/data/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.details !== void 0 && func0.call(data1, "details")) {
          let data4 = data1.details;
          if (Array.isArray(data4)) {
            if (data4.length > 20) {
              const err12 = { instancePath: instancePath + "/data/details", schemaPath: "#/properties/data/properties/details/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
            if (data4.length < 1) {
              const err13 = { instancePath: instancePath + "/data/details", schemaPath: "#/properties/data/properties/details/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
              if (vErrors === null) {
                vErrors = [err13];
              } else {
                vErrors.push(err13);
              }
              errors++;
            }
            const len0 = data4.length;
            for (let i0 = 0; i0 < len0; i0++) {
              let data5 = data4[i0];
              if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
                if (data5.field === void 0 || !func0.call(data5, "field")) {
                  const err14 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/required", keyword: "required", params: { missingProperty: "field" }, message: "must have required property 'field'" };
                  if (vErrors === null) {
                    vErrors = [err14];
                  } else {
                    vErrors.push(err14);
                  }
                  errors++;
                }
                if (data5.code === void 0 || !func0.call(data5, "code")) {
                  const err15 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
                  if (vErrors === null) {
                    vErrors = [err15];
                  } else {
                    vErrors.push(err15);
                  }
                  errors++;
                }
                if (data5.message === void 0 || !func0.call(data5, "message")) {
                  const err16 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
                  if (vErrors === null) {
                    vErrors = [err16];
                  } else {
                    vErrors.push(err16);
                  }
                  errors++;
                }
                for (const key2 of Object.keys(data5)) {
                  if (!(key2 === "field" || key2 === "code" || key2 === "message")) {
                    const err17 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
                    if (vErrors === null) {
                      vErrors = [err17];
                    } else {
                      vErrors.push(err17);
                    }
                    errors++;
                  }
                }
                if (data5.field !== void 0 && func0.call(data5, "field")) {
                  let data6 = data5.field;
                  if (typeof data6 === "string") {
                    if (func76(data6) > 100) {
                      const err18 = { instancePath: instancePath + "/data/details/" + i0 + "/field", schemaPath: "#/properties/data/properties/details/items/properties/field/maxLength", keyword: "maxLength", params: { limit: 100 }, message: "must NOT have more than 100 characters" };
                      if (vErrors === null) {
                        vErrors = [err18];
                      } else {
                        vErrors.push(err18);
                      }
                      errors++;
                    }
                  } else {
                    const err19 = { instancePath: instancePath + "/data/details/" + i0 + "/field", schemaPath: "#/properties/data/properties/details/items/properties/field/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err19];
                    } else {
                      vErrors.push(err19);
                    }
                    errors++;
                  }
                }
                if (data5.code !== void 0 && func0.call(data5, "code")) {
                  let data7 = data5.code;
                  if (typeof data7 !== "string") {
                    const err20 = { instancePath: instancePath + "/data/details/" + i0 + "/code", schemaPath: "#/properties/data/properties/details/items/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err20];
                    } else {
                      vErrors.push(err20);
                    }
                    errors++;
                  }
                  if (!(data7 === "missing" || data7 === "unknown" || data7 === "wrong_type" || data7 === "wrong_format" || data7 === "too_short" || data7 === "too_long" || data7 === "too_small" || data7 === "too_large" || data7 === "too_many" || data7 === "repeated" || data7 === "excluded" || data7 === "blocked" || data7 === "challenged" || data7 === "spent")) {
                    const err21 = { instancePath: instancePath + "/data/details/" + i0 + "/code", schemaPath: "#/properties/data/properties/details/items/properties/code/enum", keyword: "enum", params: { allowedValues: schema32.properties.data.properties.details.items.properties.code.enum }, message: "must be equal to one of the allowed values" };
                    if (vErrors === null) {
                      vErrors = [err21];
                    } else {
                      vErrors.push(err21);
                    }
                    errors++;
                  }
                }
                if (data5.message !== void 0 && func0.call(data5, "message")) {
                  if (typeof data5.message !== "string") {
                    const err22 = { instancePath: instancePath + "/data/details/" + i0 + "/message", schemaPath: "#/properties/data/properties/details/items/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err22];
                    } else {
                      vErrors.push(err22);
                    }
                    errors++;
                  }
                }
              } else {
                const err23 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                if (vErrors === null) {
                  vErrors = [err23];
                } else {
                  vErrors.push(err23);
                }
                errors++;
              }
            }
          } else {
            const err24 = { instancePath: instancePath + "/data/details", schemaPath: "#/properties/data/properties/details/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            if (vErrors === null) {
              vErrors = [err24];
            } else {
              vErrors.push(err24);
            }
            errors++;
          }
        }
        if (data1.trace_id !== void 0 && func0.call(data1, "trace_id")) {
          let data9 = data1.trace_id;
          if (typeof data9 === "string") {
            if (!pattern0.test(data9)) {
              const err25 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
              if (vErrors === null) {
                vErrors = [err25];
              } else {
                vErrors.push(err25);
              }
              errors++;
            }
          } else {
            const err26 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err26];
            } else {
              vErrors.push(err26);
            }
            errors++;
          }
        }
      } else {
        const err27 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err27];
        } else {
          vErrors.push(err27);
        }
        errors++;
      }
    }
  } else {
    const err28 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err28];
    } else {
      vErrors.push(err28);
    }
    errors++;
  }
  validate69.errors = vErrors;
  return errors === 0;
}
exports["checkVerification.400"] = validate70;
function validate70(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate35(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate69(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate69.errors : vErrors.concat(validate69.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate70.errors = vErrors;
  return errors === 0;
}
exports["checkVerification.403.body"] = validate73;
var schema34 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [false] }, "data": { "type": "object", "required": ["code", "message", "trace_id"], "properties": { "code": { "type": "string", "enum": ["insufficient_scope"] }, "message": { "type": "string" }, "trace_id": { "type": "string", "pattern": "^[0-9a-f]{32}$" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate73(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === false)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema34.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.code === void 0 || !func0.call(data1, "code")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.message === void 0 || !func0.call(data1, "message")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.trace_id === void 0 || !func0.call(data1, "trace_id")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "trace_id" }, message: "must have required property 'trace_id'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "code" || key1 === "message" || key1 === "trace_id")) {
            const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data1.code !== void 0 && func0.call(data1, "code")) {
          let data2 = data1.code;
          if (typeof data2 !== "string") {
            const err9 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
          if (!(data2 === "insufficient_scope")) {
            const err10 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/enum", keyword: "enum", params: { allowedValues: schema34.properties.data.properties.code.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data1.message !== void 0 && func0.call(data1, "message")) {
          if (typeof data1.message !== "string") {
            const err11 = { instancePath: instancePath + "/data/message", schemaPath: "#/properties/data/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.trace_id !== void 0 && func0.call(data1, "trace_id")) {
          let data4 = data1.trace_id;
          if (typeof data4 === "string") {
            if (!pattern0.test(data4)) {
              const err12 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
          } else {
            const err13 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
      } else {
        const err14 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
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
  validate73.errors = vErrors;
  return errors === 0;
}
exports["checkVerification.403"] = validate74;
function validate74(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate35(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate73(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate73.errors : vErrors.concat(validate73.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate74.errors = vErrors;
  return errors === 0;
}
exports["checkVerification.404.body"] = validate77;
var schema36 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [false] }, "data": { "type": "object", "required": ["code", "message", "trace_id"], "properties": { "code": { "type": "string", "enum": ["verification_not_found"] }, "message": { "type": "string" }, "trace_id": { "type": "string", "pattern": "^[0-9a-f]{32}$" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate77(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === false)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema36.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.code === void 0 || !func0.call(data1, "code")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.message === void 0 || !func0.call(data1, "message")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.trace_id === void 0 || !func0.call(data1, "trace_id")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "trace_id" }, message: "must have required property 'trace_id'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "code" || key1 === "message" || key1 === "trace_id")) {
            const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data1.code !== void 0 && func0.call(data1, "code")) {
          let data2 = data1.code;
          if (typeof data2 !== "string") {
            const err9 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
          if (!(data2 === "verification_not_found")) {
            const err10 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/enum", keyword: "enum", params: { allowedValues: schema36.properties.data.properties.code.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data1.message !== void 0 && func0.call(data1, "message")) {
          if (typeof data1.message !== "string") {
            const err11 = { instancePath: instancePath + "/data/message", schemaPath: "#/properties/data/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.trace_id !== void 0 && func0.call(data1, "trace_id")) {
          let data4 = data1.trace_id;
          if (typeof data4 === "string") {
            if (!pattern0.test(data4)) {
              const err12 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
          } else {
            const err13 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
      } else {
        const err14 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
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
  validate77.errors = vErrors;
  return errors === 0;
}
exports["checkVerification.404"] = validate78;
function validate78(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate21(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate77(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate77.errors : vErrors.concat(validate77.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate78.errors = vErrors;
  return errors === 0;
}
exports["checkVerification.429.body"] = validate81;
var schema38 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [false] }, "data": { "type": "object", "required": ["code", "message", "retry_after", "trace_id"], "properties": { "code": { "type": "string", "enum": ["check_limit_reached", "rate_limited"] }, "message": { "type": "string" }, "retry_after": { "type": "integer", "minimum": 1 }, "trace_id": { "type": "string", "pattern": "^[0-9a-f]{32}$" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate81(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === false)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema38.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.code === void 0 || !func0.call(data1, "code")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.message === void 0 || !func0.call(data1, "message")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.retry_after === void 0 || !func0.call(data1, "retry_after")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "retry_after" }, message: "must have required property 'retry_after'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        if (data1.trace_id === void 0 || !func0.call(data1, "trace_id")) {
          const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "trace_id" }, message: "must have required property 'trace_id'" };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "code" || key1 === "message" || key1 === "retry_after" || key1 === "trace_id")) {
            const err9 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
        }
        if (data1.code !== void 0 && func0.call(data1, "code")) {
          let data2 = data1.code;
          if (typeof data2 !== "string") {
            const err10 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
          if (!(data2 === "check_limit_reached" || data2 === "rate_limited")) {
            const err11 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/enum", keyword: "enum", params: { allowedValues: schema38.properties.data.properties.code.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.message !== void 0 && func0.call(data1, "message")) {
          if (typeof data1.message !== "string") {
            const err12 = { instancePath: instancePath + "/data/message", schemaPath: "#/properties/data/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err12];
            } else {
              vErrors.push(err12);
            }
            errors++;
          }
        }
        if (data1.retry_after !== void 0 && func0.call(data1, "retry_after")) {
          let data4 = data1.retry_after;
          if (!(typeof data4 == "number" && (!(data4 % 1) && !isNaN(data4)) && isFinite(data4))) {
            const err13 = { instancePath: instancePath + "/data/retry_after", schemaPath: "#/properties/data/properties/retry_after/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
          if (typeof data4 == "number" && isFinite(data4)) {
            if (data4 < 1 || isNaN(data4)) {
              const err14 = { instancePath: instancePath + "/data/retry_after", schemaPath: "#/properties/data/properties/retry_after/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              if (vErrors === null) {
                vErrors = [err14];
              } else {
                vErrors.push(err14);
              }
              errors++;
            }
          }
        }
        if (data1.trace_id !== void 0 && func0.call(data1, "trace_id")) {
          let data5 = data1.trace_id;
          if (typeof data5 === "string") {
            if (!pattern0.test(data5)) {
              const err15 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
              if (vErrors === null) {
                vErrors = [err15];
              } else {
                vErrors.push(err15);
              }
              errors++;
            }
          } else {
            const err16 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err16];
            } else {
              vErrors.push(err16);
            }
            errors++;
          }
        }
      } else {
        const err17 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
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
  validate81.errors = vErrors;
  return errors === 0;
}
exports["checkVerification.429"] = validate82;
function validate82(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate52(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate52.errors : vErrors.concat(validate52.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate81(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate81.errors : vErrors.concat(validate81.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate82.errors = vErrors;
  return errors === 0;
}
exports["checkVerificationByPhone.200.body"] = validate85;
var schema40 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [true] }, "data": { "discriminator": { "propertyName": "result", "mapping": { "verified": "#/components/schemas/VerifiedByPhone", "not_verified": "#/components/schemas/NotVerifiedByPhone" } }, "oneOf": [{ "type": "object", "description": "The code matched.", "required": ["request_id", "result", "verified", "timestamp"], "properties": { "request_id": { "type": "string", "description": "`req_` and 26 characters of Crockford's base32: 48 bits of time, then 80 random bits. Ids sort by the time they\nwere made.\n", "pattern": "^req_[0-9A-HJKMNP-TV-Z]{26}$", "x-pattern-words": "must be the id of a message: req_ and 26 digits and capital letters", "example": "req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6" }, "result": { "type": "string", "description": "Always `verified`.", "enum": ["verified"], "example": "verified" }, "verified": { "type": "boolean", "description": "Always `true`.", "x-always": true, "example": true }, "timestamp": { "type": "string", "format": "date-time", "description": "ISO 8601 date and time in UTC, with milliseconds.", "example": "2026-11-21T09:30:00.000Z" }, "receipt": { "type": "string", "description": "A receipt, if one was requested: a JWS in its compact form, signed with EdDSA, valid for 10 minutes. Its claims\nare `iss`, `aud`, `iat`, `exp`, `jti` (the `request_id`), `phone_number`, `phone_number_verified`, `account`\n(the id of the account whose key made the request, so that services can reject receipts of other accounts),\n`channel` (the id of the connection that delivered the code) and `nonce`; with a test key also `mode`, which is\n`test`. The public keys are at `/.well-known/jwks.json`, those of test keys at `/.well-known/jwks-test.json`.\n", "pattern": "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$", "x-pattern-words": "must be a JWS in compact form", "example": "eyJhbGciOiJFZERTQSIsInR5cCI6IndhdGNod29yZC1yZWNlaXB0K2p3dCIsImtpZCI6ImtQcktfcW14VldhWVZBOXd3QkY2SXVvM3ZWeno3VHhIQ1R3WEJ5Z3JTNGsifQ.eyJwaG9uZV9udW1iZXIiOiIrMTQxNTU1NTAxMDAiLCJwaG9uZV9udW1iZXJfdmVyaWZpZWQiOnRydWUsImNoYW5uZWwiOiJzYW5kYm94Iiwibm9uY2UiOiJuLTBTNiIsIm1vZGUiOiJ0ZXN0IiwiaXNzIjoiaHR0cHM6Ly9vdHAuYWNtZS5jb20iLCJhdWQiOiJzaG9wIiwiaWF0IjoxNzk1MjUzNDAwLCJleHAiOjE3OTUyNTQwMDAsImp0aSI6InJlcV8wMUtBSjBSNlc4WjNUNVY3WDlZMUIyQzRENiJ9.-O6iC7JUx_00Je8thAyMt_rRtwGQaHwa464AEdjxI7j6gUzlKh1fvsW9iOtD9P4FHN4VTSsG09eIDIQw9NN5Ag" }, "receipt_unavailable": { "type": "string", "description": "Why there is no receipt, although one was requested and the code was right.\n\n* `custom_code`: your own system generated the code, so it knew the code before the phone did. A receipt proves\n  that a code came back that only the phone had.\n\nThe list may grow. Whatever the value is, the phone is verified and there is no receipt.\n", "x-may-grow": true, "enum": ["custom_code"], "example": "custom_code" } } }, { "type": "object", "description": "The code did not match.", "required": ["request_id", "result", "verified", "timestamp", "reason", "attempts_remaining"], "properties": { "request_id": { "type": "string", "description": "`req_` and 26 characters of Crockford's base32: 48 bits of time, then 80 random bits. Ids sort by the time they\nwere made.\n", "pattern": "^req_[0-9A-HJKMNP-TV-Z]{26}$", "x-pattern-words": "must be the id of a message: req_ and 26 digits and capital letters", "example": "req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6" }, "result": { "type": "string", "description": "Always `not_verified`.", "enum": ["not_verified"], "example": "not_verified" }, "verified": { "type": "boolean", "description": "Always `false`.", "x-always": false, "example": false }, "timestamp": { "type": "string", "format": "date-time", "description": "ISO 8601 date and time in UTC, with milliseconds.", "example": "2026-11-21T09:30:00.000Z" }, "reason": { "type": "string", "description": "* `incorrect_code`: the code is wrong, and attempts are left.\n* `attempts_exhausted`: the code is wrong, and this was the last attempt.\n\nThe list may grow. If you do not know a value, `attempts_remaining` says whether another code can be tried.\n", "x-may-grow": true, "enum": ["incorrect_code", "attempts_exhausted"], "example": "incorrect_code" }, "attempts_remaining": { "type": "integer", "description": "The number of attempts left for this request; 0 unless `reason` is `incorrect_code`.", "minimum": 0, "maximum": 4, "example": 4 } } }], "anyOf": [{ "discriminator": { "propertyName": "result", "mapping": { "verified": "#/components/schemas/VerifiedByPhone", "not_verified": "#/components/schemas/NotVerifiedByPhone" } }, "type": "object", "required": ["request_id", "result", "verified", "timestamp"], "properties": { "request_id": { "type": "string", "pattern": "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, "result": { "type": "string", "enum": ["verified"] }, "verified": { "type": "boolean", "enum": [true] }, "timestamp": { "type": "string", "format": "date-time" }, "receipt": { "type": "string", "pattern": "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$" }, "receipt_unavailable": { "type": "string", "enum": ["custom_code"] } }, "additionalProperties": false }, { "discriminator": { "propertyName": "result", "mapping": { "verified": "#/components/schemas/VerifiedByPhone", "not_verified": "#/components/schemas/NotVerifiedByPhone" } }, "type": "object", "required": ["request_id", "result", "verified", "timestamp", "reason", "attempts_remaining"], "properties": { "request_id": { "type": "string", "pattern": "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, "result": { "type": "string", "enum": ["not_verified"] }, "verified": { "type": "boolean", "enum": [false] }, "timestamp": { "type": "string", "format": "date-time" }, "reason": { "type": "string", "enum": ["incorrect_code", "attempts_exhausted"] }, "attempts_remaining": { "type": "integer", "minimum": 0, "maximum": 4 } }, "additionalProperties": false }] } }, "additionalProperties": false };
function validate85(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === true)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema40.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      const _errs5 = errors;
      let valid1 = false;
      const _errs6 = errors;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.request_id === void 0 || !func0.call(data1, "request_id")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/0/required", keyword: "required", params: { missingProperty: "request_id" }, message: "must have required property 'request_id'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.result === void 0 || !func0.call(data1, "result")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/0/required", keyword: "required", params: { missingProperty: "result" }, message: "must have required property 'result'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.verified === void 0 || !func0.call(data1, "verified")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/0/required", keyword: "required", params: { missingProperty: "verified" }, message: "must have required property 'verified'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        if (data1.timestamp === void 0 || !func0.call(data1, "timestamp")) {
          const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/0/required", keyword: "required", params: { missingProperty: "timestamp" }, message: "must have required property 'timestamp'" };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "request_id" || key1 === "result" || key1 === "verified" || key1 === "timestamp" || key1 === "receipt" || key1 === "receipt_unavailable")) {
            const err9 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/0/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
        }
        if (data1.request_id !== void 0 && func0.call(data1, "request_id")) {
          let data2 = data1.request_id;
          if (typeof data2 === "string") {
            if (!pattern1.test(data2)) {
              const err10 = { instancePath: instancePath + "/data/request_id", schemaPath: "#/properties/data/anyOf/0/properties/request_id/pattern", keyword: "pattern", params: { pattern: "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, message: 'must match pattern "^req_[0-9A-HJKMNP-TV-Z]{26}$"' };
              if (vErrors === null) {
                vErrors = [err10];
              } else {
                vErrors.push(err10);
              }
              errors++;
            }
          } else {
            const err11 = { instancePath: instancePath + "/data/request_id", schemaPath: "#/properties/data/anyOf/0/properties/request_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.result !== void 0 && func0.call(data1, "result")) {
          let data3 = data1.result;
          if (typeof data3 !== "string") {
            const err12 = { instancePath: instancePath + "/data/result", schemaPath: "#/properties/data/anyOf/0/properties/result/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err12];
            } else {
              vErrors.push(err12);
            }
            errors++;
          }
          if (!(data3 === "verified")) {
            const err13 = { instancePath: instancePath + "/data/result", schemaPath: "#/properties/data/anyOf/0/properties/result/enum", keyword: "enum", params: { allowedValues: schema40.properties.data.anyOf[0].properties.result.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
        if (data1.verified !== void 0 && func0.call(data1, "verified")) {
          let data4 = data1.verified;
          if (typeof data4 !== "boolean") {
            const err14 = { instancePath: instancePath + "/data/verified", schemaPath: "#/properties/data/anyOf/0/properties/verified/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
            if (vErrors === null) {
              vErrors = [err14];
            } else {
              vErrors.push(err14);
            }
            errors++;
          }
          if (!(data4 === true)) {
            const err15 = { instancePath: instancePath + "/data/verified", schemaPath: "#/properties/data/anyOf/0/properties/verified/enum", keyword: "enum", params: { allowedValues: schema40.properties.data.anyOf[0].properties.verified.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err15];
            } else {
              vErrors.push(err15);
            }
            errors++;
          }
        }
        if (data1.timestamp !== void 0 && func0.call(data1, "timestamp")) {
          let data5 = data1.timestamp;
          if (typeof data5 === "string") {
            if (!formats0.validate(data5)) {
              const err16 = { instancePath: instancePath + "/data/timestamp", schemaPath: "#/properties/data/anyOf/0/properties/timestamp/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
              if (vErrors === null) {
                vErrors = [err16];
              } else {
                vErrors.push(err16);
              }
              errors++;
            }
          } else {
            const err17 = { instancePath: instancePath + "/data/timestamp", schemaPath: "#/properties/data/anyOf/0/properties/timestamp/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err17];
            } else {
              vErrors.push(err17);
            }
            errors++;
          }
        }
        if (data1.receipt !== void 0 && func0.call(data1, "receipt")) {
          let data6 = data1.receipt;
          if (typeof data6 === "string") {
            if (!pattern14.test(data6)) {
              const err18 = { instancePath: instancePath + "/data/receipt", schemaPath: "#/properties/data/anyOf/0/properties/receipt/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$" }, message: 'must match pattern "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$"' };
              if (vErrors === null) {
                vErrors = [err18];
              } else {
                vErrors.push(err18);
              }
              errors++;
            }
          } else {
            const err19 = { instancePath: instancePath + "/data/receipt", schemaPath: "#/properties/data/anyOf/0/properties/receipt/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err19];
            } else {
              vErrors.push(err19);
            }
            errors++;
          }
        }
        if (data1.receipt_unavailable !== void 0 && func0.call(data1, "receipt_unavailable")) {
          let data7 = data1.receipt_unavailable;
          if (typeof data7 !== "string") {
            const err20 = { instancePath: instancePath + "/data/receipt_unavailable", schemaPath: "#/properties/data/anyOf/0/properties/receipt_unavailable/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err20];
            } else {
              vErrors.push(err20);
            }
            errors++;
          }
          if (!(data7 === "custom_code")) {
            const err21 = { instancePath: instancePath + "/data/receipt_unavailable", schemaPath: "#/properties/data/anyOf/0/properties/receipt_unavailable/enum", keyword: "enum", params: { allowedValues: schema40.properties.data.anyOf[0].properties.receipt_unavailable.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err21];
            } else {
              vErrors.push(err21);
            }
            errors++;
          }
        }
      } else {
        const err22 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/0/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err22];
        } else {
          vErrors.push(err22);
        }
        errors++;
      }
      var _valid0 = _errs6 === errors;
      valid1 = valid1 || _valid0;
      if (!valid1) {
        const _errs21 = errors;
        if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
          if (data1.request_id === void 0 || !func0.call(data1, "request_id")) {
            const err23 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/1/required", keyword: "required", params: { missingProperty: "request_id" }, message: "must have required property 'request_id'" };
            if (vErrors === null) {
              vErrors = [err23];
            } else {
              vErrors.push(err23);
            }
            errors++;
          }
          if (data1.result === void 0 || !func0.call(data1, "result")) {
            const err24 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/1/required", keyword: "required", params: { missingProperty: "result" }, message: "must have required property 'result'" };
            if (vErrors === null) {
              vErrors = [err24];
            } else {
              vErrors.push(err24);
            }
            errors++;
          }
          if (data1.verified === void 0 || !func0.call(data1, "verified")) {
            const err25 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/1/required", keyword: "required", params: { missingProperty: "verified" }, message: "must have required property 'verified'" };
            if (vErrors === null) {
              vErrors = [err25];
            } else {
              vErrors.push(err25);
            }
            errors++;
          }
          if (data1.timestamp === void 0 || !func0.call(data1, "timestamp")) {
            const err26 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/1/required", keyword: "required", params: { missingProperty: "timestamp" }, message: "must have required property 'timestamp'" };
            if (vErrors === null) {
              vErrors = [err26];
            } else {
              vErrors.push(err26);
            }
            errors++;
          }
          if (data1.reason === void 0 || !func0.call(data1, "reason")) {
            const err27 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/1/required", keyword: "required", params: { missingProperty: "reason" }, message: "must have required property 'reason'" };
            if (vErrors === null) {
              vErrors = [err27];
            } else {
              vErrors.push(err27);
            }
            errors++;
          }
          if (data1.attempts_remaining === void 0 || !func0.call(data1, "attempts_remaining")) {
            const err28 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/1/required", keyword: "required", params: { missingProperty: "attempts_remaining" }, message: "must have required property 'attempts_remaining'" };
            if (vErrors === null) {
              vErrors = [err28];
            } else {
              vErrors.push(err28);
            }
            errors++;
          }
          for (const key2 of Object.keys(data1)) {
            if (!(key2 === "request_id" || key2 === "result" || key2 === "verified" || key2 === "timestamp" || key2 === "reason" || key2 === "attempts_remaining")) {
              const err29 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/1/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
              if (vErrors === null) {
                vErrors = [err29];
              } else {
                vErrors.push(err29);
              }
              errors++;
            }
          }
          if (data1.request_id !== void 0 && func0.call(data1, "request_id")) {
            let data8 = data1.request_id;
            if (typeof data8 === "string") {
              if (!pattern1.test(data8)) {
                const err30 = { instancePath: instancePath + "/data/request_id", schemaPath: "#/properties/data/anyOf/1/properties/request_id/pattern", keyword: "pattern", params: { pattern: "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, message: 'must match pattern "^req_[0-9A-HJKMNP-TV-Z]{26}$"' };
                if (vErrors === null) {
                  vErrors = [err30];
                } else {
                  vErrors.push(err30);
                }
                errors++;
              }
            } else {
              const err31 = { instancePath: instancePath + "/data/request_id", schemaPath: "#/properties/data/anyOf/1/properties/request_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              if (vErrors === null) {
                vErrors = [err31];
              } else {
                vErrors.push(err31);
              }
              errors++;
            }
          }
          if (data1.result !== void 0 && func0.call(data1, "result")) {
            let data9 = data1.result;
            if (typeof data9 !== "string") {
              const err32 = { instancePath: instancePath + "/data/result", schemaPath: "#/properties/data/anyOf/1/properties/result/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              if (vErrors === null) {
                vErrors = [err32];
              } else {
                vErrors.push(err32);
              }
              errors++;
            }
            if (!(data9 === "not_verified")) {
              const err33 = { instancePath: instancePath + "/data/result", schemaPath: "#/properties/data/anyOf/1/properties/result/enum", keyword: "enum", params: { allowedValues: schema40.properties.data.anyOf[1].properties.result.enum }, message: "must be equal to one of the allowed values" };
              if (vErrors === null) {
                vErrors = [err33];
              } else {
                vErrors.push(err33);
              }
              errors++;
            }
          }
          if (data1.verified !== void 0 && func0.call(data1, "verified")) {
            let data10 = data1.verified;
            if (typeof data10 !== "boolean") {
              const err34 = { instancePath: instancePath + "/data/verified", schemaPath: "#/properties/data/anyOf/1/properties/verified/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
              if (vErrors === null) {
                vErrors = [err34];
              } else {
                vErrors.push(err34);
              }
              errors++;
            }
            if (!(data10 === false)) {
              const err35 = { instancePath: instancePath + "/data/verified", schemaPath: "#/properties/data/anyOf/1/properties/verified/enum", keyword: "enum", params: { allowedValues: schema40.properties.data.anyOf[1].properties.verified.enum }, message: "must be equal to one of the allowed values" };
              if (vErrors === null) {
                vErrors = [err35];
              } else {
                vErrors.push(err35);
              }
              errors++;
            }
          }
          if (data1.timestamp !== void 0 && func0.call(data1, "timestamp")) {
            let data11 = data1.timestamp;
            if (typeof data11 === "string") {
              if (!formats0.validate(data11)) {
                const err36 = { instancePath: instancePath + "/data/timestamp", schemaPath: "#/properties/data/anyOf/1/properties/timestamp/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
                if (vErrors === null) {
                  vErrors = [err36];
                } else {
                  vErrors.push(err36);
                }
                errors++;
              }
            } else {
              const err37 = { instancePath: instancePath + "/data/timestamp", schemaPath: "#/properties/data/anyOf/1/properties/timestamp/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              if (vErrors === null) {
                vErrors = [err37];
              } else {
                vErrors.push(err37);
              }
              errors++;
            }
          }
          if (data1.reason !== void 0 && func0.call(data1, "reason")) {
            let data12 = data1.reason;
            if (typeof data12 !== "string") {
              const err38 = { instancePath: instancePath + "/data/reason", schemaPath: "#/properties/data/anyOf/1/properties/reason/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              if (vErrors === null) {
                vErrors = [err38];
              } else {
                vErrors.push(err38);
              }
              errors++;
            }
            if (!(data12 === "incorrect_code" || data12 === "attempts_exhausted")) {
              const err39 = { instancePath: instancePath + "/data/reason", schemaPath: "#/properties/data/anyOf/1/properties/reason/enum", keyword: "enum", params: { allowedValues: schema40.properties.data.anyOf[1].properties.reason.enum }, message: "must be equal to one of the allowed values" };
              if (vErrors === null) {
                vErrors = [err39];
              } else {
                vErrors.push(err39);
              }
              errors++;
            }
          }
          if (data1.attempts_remaining !== void 0 && func0.call(data1, "attempts_remaining")) {
            let data13 = data1.attempts_remaining;
            if (!(typeof data13 == "number" && (!(data13 % 1) && !isNaN(data13)) && isFinite(data13))) {
              const err40 = { instancePath: instancePath + "/data/attempts_remaining", schemaPath: "#/properties/data/anyOf/1/properties/attempts_remaining/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
              if (vErrors === null) {
                vErrors = [err40];
              } else {
                vErrors.push(err40);
              }
              errors++;
            }
            if (typeof data13 == "number" && isFinite(data13)) {
              if (data13 > 4 || isNaN(data13)) {
                const err41 = { instancePath: instancePath + "/data/attempts_remaining", schemaPath: "#/properties/data/anyOf/1/properties/attempts_remaining/maximum", keyword: "maximum", params: { comparison: "<=", limit: 4 }, message: "must be <= 4" };
                if (vErrors === null) {
                  vErrors = [err41];
                } else {
                  vErrors.push(err41);
                }
                errors++;
              }
              if (data13 < 0 || isNaN(data13)) {
                const err42 = { instancePath: instancePath + "/data/attempts_remaining", schemaPath: "#/properties/data/anyOf/1/properties/attempts_remaining/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                if (vErrors === null) {
                  vErrors = [err42];
                } else {
                  vErrors.push(err42);
                }
                errors++;
              }
            }
          }
        } else {
          const err43 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
          if (vErrors === null) {
            vErrors = [err43];
          } else {
            vErrors.push(err43);
          }
          errors++;
        }
        var _valid0 = _errs21 === errors;
        valid1 = valid1 || _valid0;
      }
      if (!valid1) {
        const err44 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
        if (vErrors === null) {
          vErrors = [err44];
        } else {
          vErrors.push(err44);
        }
        errors++;
      } else {
        errors = _errs5;
        if (vErrors !== null) {
          if (_errs5) {
            vErrors.length = _errs5;
          } else {
            vErrors = null;
          }
        }
      }
      const _errs36 = errors;
      let valid4 = false;
      let passing0 = null;
      const _errs37 = errors;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.request_id === void 0 || !func0.call(data1, "request_id")) {
          const err45 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf/0/required", keyword: "required", params: { missingProperty: "request_id" }, message: "must have required property 'request_id'" };
          if (vErrors === null) {
            vErrors = [err45];
          } else {
            vErrors.push(err45);
          }
          errors++;
        }
        if (data1.result === void 0 || !func0.call(data1, "result")) {
          const err46 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf/0/required", keyword: "required", params: { missingProperty: "result" }, message: "must have required property 'result'" };
          if (vErrors === null) {
            vErrors = [err46];
          } else {
            vErrors.push(err46);
          }
          errors++;
        }
        if (data1.verified === void 0 || !func0.call(data1, "verified")) {
          const err47 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf/0/required", keyword: "required", params: { missingProperty: "verified" }, message: "must have required property 'verified'" };
          if (vErrors === null) {
            vErrors = [err47];
          } else {
            vErrors.push(err47);
          }
          errors++;
        }
        if (data1.timestamp === void 0 || !func0.call(data1, "timestamp")) {
          const err48 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf/0/required", keyword: "required", params: { missingProperty: "timestamp" }, message: "must have required property 'timestamp'" };
          if (vErrors === null) {
            vErrors = [err48];
          } else {
            vErrors.push(err48);
          }
          errors++;
        }
        if (data1.request_id !== void 0 && func0.call(data1, "request_id")) {
          let data14 = data1.request_id;
          if (typeof data14 === "string") {
            if (!pattern1.test(data14)) {
              const err49 = { instancePath: instancePath + "/data/request_id", schemaPath: "#/properties/data/oneOf/0/properties/request_id/pattern", keyword: "pattern", params: { pattern: "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, message: 'must match pattern "^req_[0-9A-HJKMNP-TV-Z]{26}$"' };
              if (vErrors === null) {
                vErrors = [err49];
              } else {
                vErrors.push(err49);
              }
              errors++;
            }
          } else {
            const err50 = { instancePath: instancePath + "/data/request_id", schemaPath: "#/properties/data/oneOf/0/properties/request_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err50];
            } else {
              vErrors.push(err50);
            }
            errors++;
          }
        }
        if (data1.result !== void 0 && func0.call(data1, "result")) {
          let data15 = data1.result;
          if (typeof data15 !== "string") {
            const err51 = { instancePath: instancePath + "/data/result", schemaPath: "#/properties/data/oneOf/0/properties/result/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err51];
            } else {
              vErrors.push(err51);
            }
            errors++;
          }
          if (!(data15 === "verified")) {
            const err52 = { instancePath: instancePath + "/data/result", schemaPath: "#/properties/data/oneOf/0/properties/result/enum", keyword: "enum", params: { allowedValues: schema40.properties.data.oneOf[0].properties.result.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err52];
            } else {
              vErrors.push(err52);
            }
            errors++;
          }
        }
        if (data1.verified !== void 0 && func0.call(data1, "verified")) {
          if (typeof data1.verified !== "boolean") {
            const err53 = { instancePath: instancePath + "/data/verified", schemaPath: "#/properties/data/oneOf/0/properties/verified/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
            if (vErrors === null) {
              vErrors = [err53];
            } else {
              vErrors.push(err53);
            }
            errors++;
          }
        }
        if (data1.timestamp !== void 0 && func0.call(data1, "timestamp")) {
          let data17 = data1.timestamp;
          if (typeof data17 === "string") {
            if (!formats0.validate(data17)) {
              const err54 = { instancePath: instancePath + "/data/timestamp", schemaPath: "#/properties/data/oneOf/0/properties/timestamp/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
              if (vErrors === null) {
                vErrors = [err54];
              } else {
                vErrors.push(err54);
              }
              errors++;
            }
          } else {
            const err55 = { instancePath: instancePath + "/data/timestamp", schemaPath: "#/properties/data/oneOf/0/properties/timestamp/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err55];
            } else {
              vErrors.push(err55);
            }
            errors++;
          }
        }
        if (data1.receipt !== void 0 && func0.call(data1, "receipt")) {
          let data18 = data1.receipt;
          if (typeof data18 === "string") {
            if (!pattern14.test(data18)) {
              const err56 = { instancePath: instancePath + "/data/receipt", schemaPath: "#/properties/data/oneOf/0/properties/receipt/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$" }, message: 'must match pattern "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$"' };
              if (vErrors === null) {
                vErrors = [err56];
              } else {
                vErrors.push(err56);
              }
              errors++;
            }
          } else {
            const err57 = { instancePath: instancePath + "/data/receipt", schemaPath: "#/properties/data/oneOf/0/properties/receipt/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err57];
            } else {
              vErrors.push(err57);
            }
            errors++;
          }
        }
        if (data1.receipt_unavailable !== void 0 && func0.call(data1, "receipt_unavailable")) {
          let data19 = data1.receipt_unavailable;
          if (typeof data19 !== "string") {
            const err58 = { instancePath: instancePath + "/data/receipt_unavailable", schemaPath: "#/properties/data/oneOf/0/properties/receipt_unavailable/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err58];
            } else {
              vErrors.push(err58);
            }
            errors++;
          }
          if (!(data19 === "custom_code")) {
            const err59 = { instancePath: instancePath + "/data/receipt_unavailable", schemaPath: "#/properties/data/oneOf/0/properties/receipt_unavailable/enum", keyword: "enum", params: { allowedValues: schema40.properties.data.oneOf[0].properties.receipt_unavailable.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err59];
            } else {
              vErrors.push(err59);
            }
            errors++;
          }
        }
      } else {
        const err60 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf/0/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err60];
        } else {
          vErrors.push(err60);
        }
        errors++;
      }
      var _valid1 = _errs37 === errors;
      if (_valid1) {
        valid4 = true;
        passing0 = 0;
      }
      const _errs51 = errors;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.request_id === void 0 || !func0.call(data1, "request_id")) {
          const err61 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf/1/required", keyword: "required", params: { missingProperty: "request_id" }, message: "must have required property 'request_id'" };
          if (vErrors === null) {
            vErrors = [err61];
          } else {
            vErrors.push(err61);
          }
          errors++;
        }
        if (data1.result === void 0 || !func0.call(data1, "result")) {
          const err62 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf/1/required", keyword: "required", params: { missingProperty: "result" }, message: "must have required property 'result'" };
          if (vErrors === null) {
            vErrors = [err62];
          } else {
            vErrors.push(err62);
          }
          errors++;
        }
        if (data1.verified === void 0 || !func0.call(data1, "verified")) {
          const err63 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf/1/required", keyword: "required", params: { missingProperty: "verified" }, message: "must have required property 'verified'" };
          if (vErrors === null) {
            vErrors = [err63];
          } else {
            vErrors.push(err63);
          }
          errors++;
        }
        if (data1.timestamp === void 0 || !func0.call(data1, "timestamp")) {
          const err64 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf/1/required", keyword: "required", params: { missingProperty: "timestamp" }, message: "must have required property 'timestamp'" };
          if (vErrors === null) {
            vErrors = [err64];
          } else {
            vErrors.push(err64);
          }
          errors++;
        }
        if (data1.reason === void 0 || !func0.call(data1, "reason")) {
          const err65 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf/1/required", keyword: "required", params: { missingProperty: "reason" }, message: "must have required property 'reason'" };
          if (vErrors === null) {
            vErrors = [err65];
          } else {
            vErrors.push(err65);
          }
          errors++;
        }
        if (data1.attempts_remaining === void 0 || !func0.call(data1, "attempts_remaining")) {
          const err66 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf/1/required", keyword: "required", params: { missingProperty: "attempts_remaining" }, message: "must have required property 'attempts_remaining'" };
          if (vErrors === null) {
            vErrors = [err66];
          } else {
            vErrors.push(err66);
          }
          errors++;
        }
        if (data1.request_id !== void 0 && func0.call(data1, "request_id")) {
          let data20 = data1.request_id;
          if (typeof data20 === "string") {
            if (!pattern1.test(data20)) {
              const err67 = { instancePath: instancePath + "/data/request_id", schemaPath: "#/properties/data/oneOf/1/properties/request_id/pattern", keyword: "pattern", params: { pattern: "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, message: 'must match pattern "^req_[0-9A-HJKMNP-TV-Z]{26}$"' };
              if (vErrors === null) {
                vErrors = [err67];
              } else {
                vErrors.push(err67);
              }
              errors++;
            }
          } else {
            const err68 = { instancePath: instancePath + "/data/request_id", schemaPath: "#/properties/data/oneOf/1/properties/request_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err68];
            } else {
              vErrors.push(err68);
            }
            errors++;
          }
        }
        if (data1.result !== void 0 && func0.call(data1, "result")) {
          let data21 = data1.result;
          if (typeof data21 !== "string") {
            const err69 = { instancePath: instancePath + "/data/result", schemaPath: "#/properties/data/oneOf/1/properties/result/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err69];
            } else {
              vErrors.push(err69);
            }
            errors++;
          }
          if (!(data21 === "not_verified")) {
            const err70 = { instancePath: instancePath + "/data/result", schemaPath: "#/properties/data/oneOf/1/properties/result/enum", keyword: "enum", params: { allowedValues: schema40.properties.data.oneOf[1].properties.result.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err70];
            } else {
              vErrors.push(err70);
            }
            errors++;
          }
        }
        if (data1.verified !== void 0 && func0.call(data1, "verified")) {
          if (typeof data1.verified !== "boolean") {
            const err71 = { instancePath: instancePath + "/data/verified", schemaPath: "#/properties/data/oneOf/1/properties/verified/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
            if (vErrors === null) {
              vErrors = [err71];
            } else {
              vErrors.push(err71);
            }
            errors++;
          }
        }
        if (data1.timestamp !== void 0 && func0.call(data1, "timestamp")) {
          let data23 = data1.timestamp;
          if (typeof data23 === "string") {
            if (!formats0.validate(data23)) {
              const err72 = { instancePath: instancePath + "/data/timestamp", schemaPath: "#/properties/data/oneOf/1/properties/timestamp/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
              if (vErrors === null) {
                vErrors = [err72];
              } else {
                vErrors.push(err72);
              }
              errors++;
            }
          } else {
            const err73 = { instancePath: instancePath + "/data/timestamp", schemaPath: "#/properties/data/oneOf/1/properties/timestamp/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err73];
            } else {
              vErrors.push(err73);
            }
            errors++;
          }
        }
        if (data1.reason !== void 0 && func0.call(data1, "reason")) {
          let data24 = data1.reason;
          if (typeof data24 !== "string") {
            const err74 = { instancePath: instancePath + "/data/reason", schemaPath: "#/properties/data/oneOf/1/properties/reason/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err74];
            } else {
              vErrors.push(err74);
            }
            errors++;
          }
          if (!(data24 === "incorrect_code" || data24 === "attempts_exhausted")) {
            const err75 = { instancePath: instancePath + "/data/reason", schemaPath: "#/properties/data/oneOf/1/properties/reason/enum", keyword: "enum", params: { allowedValues: schema40.properties.data.oneOf[1].properties.reason.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err75];
            } else {
              vErrors.push(err75);
            }
            errors++;
          }
        }
        if (data1.attempts_remaining !== void 0 && func0.call(data1, "attempts_remaining")) {
          let data25 = data1.attempts_remaining;
          if (!(typeof data25 == "number" && (!(data25 % 1) && !isNaN(data25)) && isFinite(data25))) {
            const err76 = { instancePath: instancePath + "/data/attempts_remaining", schemaPath: "#/properties/data/oneOf/1/properties/attempts_remaining/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            if (vErrors === null) {
              vErrors = [err76];
            } else {
              vErrors.push(err76);
            }
            errors++;
          }
          if (typeof data25 == "number" && isFinite(data25)) {
            if (data25 > 4 || isNaN(data25)) {
              const err77 = { instancePath: instancePath + "/data/attempts_remaining", schemaPath: "#/properties/data/oneOf/1/properties/attempts_remaining/maximum", keyword: "maximum", params: { comparison: "<=", limit: 4 }, message: "must be <= 4" };
              if (vErrors === null) {
                vErrors = [err77];
              } else {
                vErrors.push(err77);
              }
              errors++;
            }
            if (data25 < 0 || isNaN(data25)) {
              const err78 = { instancePath: instancePath + "/data/attempts_remaining", schemaPath: "#/properties/data/oneOf/1/properties/attempts_remaining/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
              if (vErrors === null) {
                vErrors = [err78];
              } else {
                vErrors.push(err78);
              }
              errors++;
            }
          }
        }
      } else {
        const err79 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err79];
        } else {
          vErrors.push(err79);
        }
        errors++;
      }
      var _valid1 = _errs51 === errors;
      if (_valid1 && valid4) {
        valid4 = false;
        passing0 = [passing0, 1];
      } else {
        if (_valid1) {
          valid4 = true;
          passing0 = 1;
        }
      }
      if (!valid4) {
        const err80 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/oneOf", keyword: "oneOf", params: { passingSchemas: passing0 }, message: "must match exactly one schema in oneOf" };
        if (vErrors === null) {
          vErrors = [err80];
        } else {
          vErrors.push(err80);
        }
        errors++;
      } else {
        errors = _errs36;
        if (vErrors !== null) {
          if (_errs36) {
            vErrors.length = _errs36;
          } else {
            vErrors = null;
          }
        }
      }
    }
  } else {
    const err81 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err81];
    } else {
      vErrors.push(err81);
    }
    errors++;
  }
  validate85.errors = vErrors;
  return errors === 0;
}
exports["checkVerificationByPhone.200"] = validate86;
function validate86(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate21(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate85(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate85.errors : vErrors.concat(validate85.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate86.errors = vErrors;
  return errors === 0;
}
exports["confirmVerification.200.body"] = validate89;
var schema42 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [true] }, "data": { "type": "object", "required": ["request_id", "confirmed", "timestamp"], "properties": { "request_id": { "type": "string", "pattern": "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, "confirmed": { "type": "boolean" }, "timestamp": { "type": "string", "format": "date-time" }, "reason": { "type": "string", "enum": ["already_verified", "expired", "superseded", "attempts_exhausted"] } }, "additionalProperties": false } }, "additionalProperties": false };
function validate89(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === true)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema42.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.request_id === void 0 || !func0.call(data1, "request_id")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "request_id" }, message: "must have required property 'request_id'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.confirmed === void 0 || !func0.call(data1, "confirmed")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "confirmed" }, message: "must have required property 'confirmed'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.timestamp === void 0 || !func0.call(data1, "timestamp")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "timestamp" }, message: "must have required property 'timestamp'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "request_id" || key1 === "confirmed" || key1 === "timestamp" || key1 === "reason")) {
            const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data1.request_id !== void 0 && func0.call(data1, "request_id")) {
          let data2 = data1.request_id;
          if (typeof data2 === "string") {
            if (!pattern1.test(data2)) {
              const err9 = { instancePath: instancePath + "/data/request_id", schemaPath: "#/properties/data/properties/request_id/pattern", keyword: "pattern", params: { pattern: "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, message: 'must match pattern "^req_[0-9A-HJKMNP-TV-Z]{26}$"' };
              if (vErrors === null) {
                vErrors = [err9];
              } else {
                vErrors.push(err9);
              }
              errors++;
            }
          } else {
            const err10 = { instancePath: instancePath + "/data/request_id", schemaPath: "#/properties/data/properties/request_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data1.confirmed !== void 0 && func0.call(data1, "confirmed")) {
          if (typeof data1.confirmed !== "boolean") {
            const err11 = { instancePath: instancePath + "/data/confirmed", schemaPath: "#/properties/data/properties/confirmed/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.timestamp !== void 0 && func0.call(data1, "timestamp")) {
          let data4 = data1.timestamp;
          if (typeof data4 === "string") {
            if (!formats0.validate(data4)) {
              const err12 = { instancePath: instancePath + "/data/timestamp", schemaPath: "#/properties/data/properties/timestamp/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
          } else {
            const err13 = { instancePath: instancePath + "/data/timestamp", schemaPath: "#/properties/data/properties/timestamp/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
        if (data1.reason !== void 0 && func0.call(data1, "reason")) {
          let data5 = data1.reason;
          if (typeof data5 !== "string") {
            const err14 = { instancePath: instancePath + "/data/reason", schemaPath: "#/properties/data/properties/reason/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err14];
            } else {
              vErrors.push(err14);
            }
            errors++;
          }
          if (!(data5 === "already_verified" || data5 === "expired" || data5 === "superseded" || data5 === "attempts_exhausted")) {
            const err15 = { instancePath: instancePath + "/data/reason", schemaPath: "#/properties/data/properties/reason/enum", keyword: "enum", params: { allowedValues: schema42.properties.data.properties.reason.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err15];
            } else {
              vErrors.push(err15);
            }
            errors++;
          }
        }
      } else {
        const err16 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err16];
        } else {
          vErrors.push(err16);
        }
        errors++;
      }
    }
  } else {
    const err17 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err17];
    } else {
      vErrors.push(err17);
    }
    errors++;
  }
  validate89.errors = vErrors;
  return errors === 0;
}
exports["confirmVerification.200"] = validate90;
function validate90(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate21(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate89(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate89.errors : vErrors.concat(validate89.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate90.errors = vErrors;
  return errors === 0;
}
exports["cancelVerification.200.body"] = validate93;
var schema44 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [true] }, "data": { "type": "object", "required": ["request_id", "cancelled"], "properties": { "request_id": { "type": "string", "pattern": "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, "cancelled": { "type": "boolean" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate93(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === true)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema44.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.request_id === void 0 || !func0.call(data1, "request_id")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "request_id" }, message: "must have required property 'request_id'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.cancelled === void 0 || !func0.call(data1, "cancelled")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "cancelled" }, message: "must have required property 'cancelled'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "request_id" || key1 === "cancelled")) {
            const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err7];
            } else {
              vErrors.push(err7);
            }
            errors++;
          }
        }
        if (data1.request_id !== void 0 && func0.call(data1, "request_id")) {
          let data2 = data1.request_id;
          if (typeof data2 === "string") {
            if (!pattern1.test(data2)) {
              const err8 = { instancePath: instancePath + "/data/request_id", schemaPath: "#/properties/data/properties/request_id/pattern", keyword: "pattern", params: { pattern: "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, message: 'must match pattern "^req_[0-9A-HJKMNP-TV-Z]{26}$"' };
              if (vErrors === null) {
                vErrors = [err8];
              } else {
                vErrors.push(err8);
              }
              errors++;
            }
          } else {
            const err9 = { instancePath: instancePath + "/data/request_id", schemaPath: "#/properties/data/properties/request_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
        }
        if (data1.cancelled !== void 0 && func0.call(data1, "cancelled")) {
          if (typeof data1.cancelled !== "boolean") {
            const err10 = { instancePath: instancePath + "/data/cancelled", schemaPath: "#/properties/data/properties/cancelled/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
      } else {
        const err11 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
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
  validate93.errors = vErrors;
  return errors === 0;
}
exports["cancelVerification.200"] = validate94;
function validate94(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate21(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate93(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate93.errors : vErrors.concat(validate93.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate94.errors = vErrors;
  return errors === 0;
}
exports["cancelVerification.429.body"] = validate97;
var schema46 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [false] }, "data": { "type": "object", "required": ["code", "message", "retry_after", "trace_id"], "properties": { "code": { "type": "string", "enum": ["rate_limited"] }, "message": { "type": "string" }, "retry_after": { "type": "integer", "minimum": 1 }, "trace_id": { "type": "string", "pattern": "^[0-9a-f]{32}$" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate97(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === false)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema46.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.code === void 0 || !func0.call(data1, "code")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.message === void 0 || !func0.call(data1, "message")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.retry_after === void 0 || !func0.call(data1, "retry_after")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "retry_after" }, message: "must have required property 'retry_after'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        if (data1.trace_id === void 0 || !func0.call(data1, "trace_id")) {
          const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "trace_id" }, message: "must have required property 'trace_id'" };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "code" || key1 === "message" || key1 === "retry_after" || key1 === "trace_id")) {
            const err9 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
        }
        if (data1.code !== void 0 && func0.call(data1, "code")) {
          let data2 = data1.code;
          if (typeof data2 !== "string") {
            const err10 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
          if (!(data2 === "rate_limited")) {
            const err11 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/enum", keyword: "enum", params: { allowedValues: schema46.properties.data.properties.code.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.message !== void 0 && func0.call(data1, "message")) {
          if (typeof data1.message !== "string") {
            const err12 = { instancePath: instancePath + "/data/message", schemaPath: "#/properties/data/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err12];
            } else {
              vErrors.push(err12);
            }
            errors++;
          }
        }
        if (data1.retry_after !== void 0 && func0.call(data1, "retry_after")) {
          let data4 = data1.retry_after;
          if (!(typeof data4 == "number" && (!(data4 % 1) && !isNaN(data4)) && isFinite(data4))) {
            const err13 = { instancePath: instancePath + "/data/retry_after", schemaPath: "#/properties/data/properties/retry_after/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
          if (typeof data4 == "number" && isFinite(data4)) {
            if (data4 < 1 || isNaN(data4)) {
              const err14 = { instancePath: instancePath + "/data/retry_after", schemaPath: "#/properties/data/properties/retry_after/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              if (vErrors === null) {
                vErrors = [err14];
              } else {
                vErrors.push(err14);
              }
              errors++;
            }
          }
        }
        if (data1.trace_id !== void 0 && func0.call(data1, "trace_id")) {
          let data5 = data1.trace_id;
          if (typeof data5 === "string") {
            if (!pattern0.test(data5)) {
              const err15 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
              if (vErrors === null) {
                vErrors = [err15];
              } else {
                vErrors.push(err15);
              }
              errors++;
            }
          } else {
            const err16 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err16];
            } else {
              vErrors.push(err16);
            }
            errors++;
          }
        }
      } else {
        const err17 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
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
  validate97.errors = vErrors;
  return errors === 0;
}
exports["cancelVerification.429"] = validate98;
function validate98(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate52(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate52.errors : vErrors.concat(validate52.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate97(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate97.errors : vErrors.concat(validate97.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate98.errors = vErrors;
  return errors === 0;
}
exports["listMessages.200.body"] = validate101;
var schema48 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [true] }, "data": { "type": "object", "required": ["messages", "next"], "properties": { "messages": { "type": "array", "maxItems": 100, "items": { "type": "object", "required": ["id", "kind", "status", "timestamp", "created_at", "recipient", "channel"], "properties": { "id": { "type": "string", "pattern": "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, "kind": { "type": "string", "enum": ["verification", "notification"] }, "status": { "type": "string", "enum": ["queued", "sent", "delivered", "read", "failed", "expired"] }, "timestamp": { "type": "string", "format": "date-time" }, "error": { "type": "object", "required": ["code", "message"], "properties": { "code": { "type": "string", "enum": ["not_on_channel", "rejected_by_channel", "channel_unavailable", "not_delivered", "superseded", "opted_out", "unreachable", "country_blocked", "send_limit_reached", "budget_spent"] }, "message": { "type": "string" } }, "additionalProperties": false }, "created_at": { "type": "string", "format": "date-time" }, "recipient": { "type": "string", "pattern": "^rcp_[0-9a-f]{20}$" }, "channel": { "type": "string", "pattern": "^[a-z][a-z0-9-]{0,31}$" }, "template": { "type": "object", "required": ["slug"], "properties": { "slug": { "type": "string", "maxLength": 64 }, "version": { "type": "integer", "minimum": 1, "maximum": 2147483647 }, "locale": { "type": "string", "maxLength": 35 } }, "additionalProperties": false }, "reference": { "type": "string", "minLength": 1, "maxLength": 128, "pattern": "^([0-9]{1,7}|[0-9]{16,}|[0-9]*[A-Za-z._:/-][A-Za-z0-9._:/-]*)$" }, "send_at": { "type": "string", "format": "date-time" }, "findings": { "type": "array", "minItems": 1, "maxItems": 50, "items": { "type": "object", "required": ["rule", "did"], "properties": { "rule": { "type": "string", "maxLength": 32 }, "did": { "type": "string", "enum": ["record", "challenge", "block"] } }, "additionalProperties": false } } }, "additionalProperties": false } }, "next": { "type": "string", "nullable": true, "pattern": "^req_[0-9A-HJKMNP-TV-Z]{26}$" } }, "additionalProperties": false } }, "additionalProperties": false };
var pattern30 = new RegExp("^rcp_[0-9a-f]{20}$", "u");
var pattern31 = new RegExp("^[a-z][a-z0-9-]{0,31}$", "u");
var pattern32 = new RegExp("^([0-9]{1,7}|[0-9]{16,}|[0-9]*[A-Za-z._:/-][A-Za-z0-9._:/-]*)$", "u");
function validate101(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === true)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema48.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.messages === void 0 || !func0.call(data1, "messages")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "messages" }, message: "must have required property 'messages'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.next === void 0 || !func0.call(data1, "next")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "next" }, message: "must have required property 'next'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "messages" || key1 === "next")) {
            const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err7];
            } else {
              vErrors.push(err7);
            }
            errors++;
          }
        }
        if (data1.messages !== void 0 && func0.call(data1, "messages")) {
          let data2 = data1.messages;
          if (Array.isArray(data2)) {
            if (data2.length > 100) {
              const err8 = { instancePath: instancePath + "/data/messages", schemaPath: "#/properties/data/properties/messages/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
              if (vErrors === null) {
                vErrors = [err8];
              } else {
                vErrors.push(err8);
              }
              errors++;
            }
            const len0 = data2.length;
            for (let i0 = 0; i0 < len0; i0++) {
              let data3 = data2[i0];
              if (data3 && typeof data3 == "object" && !Array.isArray(data3)) {
                if (data3.id === void 0 || !func0.call(data3, "id")) {
                  const err9 = { instancePath: instancePath + "/data/messages/" + i0, schemaPath: "#/properties/data/properties/messages/items/required", keyword: "required", params: { missingProperty: "id" }, message: "must have required property 'id'" };
                  if (vErrors === null) {
                    vErrors = [err9];
                  } else {
                    vErrors.push(err9);
                  }
                  errors++;
                }
                if (data3.kind === void 0 || !func0.call(data3, "kind")) {
                  const err10 = { instancePath: instancePath + "/data/messages/" + i0, schemaPath: "#/properties/data/properties/messages/items/required", keyword: "required", params: { missingProperty: "kind" }, message: "must have required property 'kind'" };
                  if (vErrors === null) {
                    vErrors = [err10];
                  } else {
                    vErrors.push(err10);
                  }
                  errors++;
                }
                if (data3.status === void 0 || !func0.call(data3, "status")) {
                  const err11 = { instancePath: instancePath + "/data/messages/" + i0, schemaPath: "#/properties/data/properties/messages/items/required", keyword: "required", params: { missingProperty: "status" }, message: "must have required property 'status'" };
                  if (vErrors === null) {
                    vErrors = [err11];
                  } else {
                    vErrors.push(err11);
                  }
                  errors++;
                }
                if (data3.timestamp === void 0 || !func0.call(data3, "timestamp")) {
                  const err12 = { instancePath: instancePath + "/data/messages/" + i0, schemaPath: "#/properties/data/properties/messages/items/required", keyword: "required", params: { missingProperty: "timestamp" }, message: "must have required property 'timestamp'" };
                  if (vErrors === null) {
                    vErrors = [err12];
                  } else {
                    vErrors.push(err12);
                  }
                  errors++;
                }
                if (data3.created_at === void 0 || !func0.call(data3, "created_at")) {
                  const err13 = { instancePath: instancePath + "/data/messages/" + i0, schemaPath: "#/properties/data/properties/messages/items/required", keyword: "required", params: { missingProperty: "created_at" }, message: "must have required property 'created_at'" };
                  if (vErrors === null) {
                    vErrors = [err13];
                  } else {
                    vErrors.push(err13);
                  }
                  errors++;
                }
                if (data3.recipient === void 0 || !func0.call(data3, "recipient")) {
                  const err14 = { instancePath: instancePath + "/data/messages/" + i0, schemaPath: "#/properties/data/properties/messages/items/required", keyword: "required", params: { missingProperty: "recipient" }, message: "must have required property 'recipient'" };
                  if (vErrors === null) {
                    vErrors = [err14];
                  } else {
                    vErrors.push(err14);
                  }
                  errors++;
                }
                if (data3.channel === void 0 || !func0.call(data3, "channel")) {
                  const err15 = { instancePath: instancePath + "/data/messages/" + i0, schemaPath: "#/properties/data/properties/messages/items/required", keyword: "required", params: { missingProperty: "channel" }, message: "must have required property 'channel'" };
                  if (vErrors === null) {
                    vErrors = [err15];
                  } else {
                    vErrors.push(err15);
                  }
                  errors++;
                }
                for (const key2 of Object.keys(data3)) {
                  if (!func0.call(schema48.properties.data.properties.messages.items.properties, key2)) {
                    const err16 = { instancePath: instancePath + "/data/messages/" + i0, schemaPath: "#/properties/data/properties/messages/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
                    if (vErrors === null) {
                      vErrors = [err16];
                    } else {
                      vErrors.push(err16);
                    }
                    errors++;
                  }
                }
                if (data3.id !== void 0 && func0.call(data3, "id")) {
                  let data4 = data3.id;
                  if (typeof data4 === "string") {
                    if (!pattern1.test(data4)) {
                      const err17 = { instancePath: instancePath + "/data/messages/" + i0 + "/id", schemaPath: "#/properties/data/properties/messages/items/properties/id/pattern", keyword: "pattern", params: { pattern: "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, message: 'must match pattern "^req_[0-9A-HJKMNP-TV-Z]{26}$"' };
                      if (vErrors === null) {
                        vErrors = [err17];
                      } else {
                        vErrors.push(err17);
                      }
                      errors++;
                    }
                  } else {
                    const err18 = { instancePath: instancePath + "/data/messages/" + i0 + "/id", schemaPath: "#/properties/data/properties/messages/items/properties/id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err18];
                    } else {
                      vErrors.push(err18);
                    }
                    errors++;
                  }
                }
                if (data3.kind !== void 0 && func0.call(data3, "kind")) {
                  let data5 = data3.kind;
                  if (typeof data5 !== "string") {
                    const err19 = { instancePath: instancePath + "/data/messages/" + i0 + "/kind", schemaPath: "#/properties/data/properties/messages/items/properties/kind/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err19];
                    } else {
                      vErrors.push(err19);
                    }
                    errors++;
                  }
                  if (!(data5 === "verification" || data5 === "notification")) {
                    const err20 = { instancePath: instancePath + "/data/messages/" + i0 + "/kind", schemaPath: "#/properties/data/properties/messages/items/properties/kind/enum", keyword: "enum", params: { allowedValues: schema48.properties.data.properties.messages.items.properties.kind.enum }, message: "must be equal to one of the allowed values" };
                    if (vErrors === null) {
                      vErrors = [err20];
                    } else {
                      vErrors.push(err20);
                    }
                    errors++;
                  }
                }
                if (data3.status !== void 0 && func0.call(data3, "status")) {
                  let data6 = data3.status;
                  if (typeof data6 !== "string") {
                    const err21 = { instancePath: instancePath + "/data/messages/" + i0 + "/status", schemaPath: "#/properties/data/properties/messages/items/properties/status/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err21];
                    } else {
                      vErrors.push(err21);
                    }
                    errors++;
                  }
                  if (!(data6 === "queued" || data6 === "sent" || data6 === "delivered" || data6 === "read" || data6 === "failed" || data6 === "expired")) {
                    const err22 = { instancePath: instancePath + "/data/messages/" + i0 + "/status", schemaPath: "#/properties/data/properties/messages/items/properties/status/enum", keyword: "enum", params: { allowedValues: schema48.properties.data.properties.messages.items.properties.status.enum }, message: "must be equal to one of the allowed values" };
                    if (vErrors === null) {
                      vErrors = [err22];
                    } else {
                      vErrors.push(err22);
                    }
                    errors++;
                  }
                }
                if (data3.timestamp !== void 0 && func0.call(data3, "timestamp")) {
                  let data7 = data3.timestamp;
                  if (typeof data7 === "string") {
                    if (!formats0.validate(data7)) {
                      const err23 = { instancePath: instancePath + "/data/messages/" + i0 + "/timestamp", schemaPath: "#/properties/data/properties/messages/items/properties/timestamp/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
                      if (vErrors === null) {
                        vErrors = [err23];
                      } else {
                        vErrors.push(err23);
                      }
                      errors++;
                    }
                  } else {
                    const err24 = { instancePath: instancePath + "/data/messages/" + i0 + "/timestamp", schemaPath: "#/properties/data/properties/messages/items/properties/timestamp/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err24];
                    } else {
                      vErrors.push(err24);
                    }
                    errors++;
                  }
                }
                if (data3.error !== void 0 && func0.call(data3, "error")) {
                  let data8 = data3.error;
                  if (data8 && typeof data8 == "object" && !Array.isArray(data8)) {
                    if (data8.code === void 0 || !func0.call(data8, "code")) {
                      const err25 = { instancePath: instancePath + "/data/messages/" + i0 + "/error", schemaPath: "#/properties/data/properties/messages/items/properties/error/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
                      if (vErrors === null) {
                        vErrors = [err25];
                      } else {
                        vErrors.push(err25);
                      }
                      errors++;
                    }
                    if (data8.message === void 0 || !func0.call(data8, "message")) {
                      const err26 = { instancePath: instancePath + "/data/messages/" + i0 + "/error", schemaPath: "#/properties/data/properties/messages/items/properties/error/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
                      if (vErrors === null) {
                        vErrors = [err26];
                      } else {
                        vErrors.push(err26);
                      }
                      errors++;
                    }
                    for (const key3 of Object.keys(data8)) {
                      if (!(key3 === "code" || key3 === "message")) {
                        const err27 = { instancePath: instancePath + "/data/messages/" + i0 + "/error", schemaPath: "#/properties/data/properties/messages/items/properties/error/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 }, message: "must NOT have additional properties" };
                        if (vErrors === null) {
                          vErrors = [err27];
                        } else {
                          vErrors.push(err27);
                        }
                        errors++;
                      }
                    }
                    if (data8.code !== void 0 && func0.call(data8, "code")) {
                      let data9 = data8.code;
                      if (typeof data9 !== "string") {
                        const err28 = { instancePath: instancePath + "/data/messages/" + i0 + "/error/code", schemaPath: "#/properties/data/properties/messages/items/properties/error/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        if (vErrors === null) {
                          vErrors = [err28];
                        } else {
                          vErrors.push(err28);
                        }
                        errors++;
                      }
                      if (!(data9 === "not_on_channel" || data9 === "rejected_by_channel" || data9 === "channel_unavailable" || data9 === "not_delivered" || data9 === "superseded" || data9 === "opted_out" || data9 === "unreachable" || data9 === "country_blocked" || data9 === "send_limit_reached" || data9 === "budget_spent")) {
                        const err29 = { instancePath: instancePath + "/data/messages/" + i0 + "/error/code", schemaPath: "#/properties/data/properties/messages/items/properties/error/properties/code/enum", keyword: "enum", params: { allowedValues: schema48.properties.data.properties.messages.items.properties.error.properties.code.enum }, message: "must be equal to one of the allowed values" };
                        if (vErrors === null) {
                          vErrors = [err29];
                        } else {
                          vErrors.push(err29);
                        }
                        errors++;
                      }
                    }
                    if (data8.message !== void 0 && func0.call(data8, "message")) {
                      if (typeof data8.message !== "string") {
                        const err30 = { instancePath: instancePath + "/data/messages/" + i0 + "/error/message", schemaPath: "#/properties/data/properties/messages/items/properties/error/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        if (vErrors === null) {
                          vErrors = [err30];
                        } else {
                          vErrors.push(err30);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err31 = { instancePath: instancePath + "/data/messages/" + i0 + "/error", schemaPath: "#/properties/data/properties/messages/items/properties/error/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                    if (vErrors === null) {
                      vErrors = [err31];
                    } else {
                      vErrors.push(err31);
                    }
                    errors++;
                  }
                }
                if (data3.created_at !== void 0 && func0.call(data3, "created_at")) {
                  let data11 = data3.created_at;
                  if (typeof data11 === "string") {
                    if (!formats0.validate(data11)) {
                      const err32 = { instancePath: instancePath + "/data/messages/" + i0 + "/created_at", schemaPath: "#/properties/data/properties/messages/items/properties/created_at/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
                      if (vErrors === null) {
                        vErrors = [err32];
                      } else {
                        vErrors.push(err32);
                      }
                      errors++;
                    }
                  } else {
                    const err33 = { instancePath: instancePath + "/data/messages/" + i0 + "/created_at", schemaPath: "#/properties/data/properties/messages/items/properties/created_at/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err33];
                    } else {
                      vErrors.push(err33);
                    }
                    errors++;
                  }
                }
                if (data3.recipient !== void 0 && func0.call(data3, "recipient")) {
                  let data12 = data3.recipient;
                  if (typeof data12 === "string") {
                    if (!pattern30.test(data12)) {
                      const err34 = { instancePath: instancePath + "/data/messages/" + i0 + "/recipient", schemaPath: "#/properties/data/properties/messages/items/properties/recipient/pattern", keyword: "pattern", params: { pattern: "^rcp_[0-9a-f]{20}$" }, message: 'must match pattern "^rcp_[0-9a-f]{20}$"' };
                      if (vErrors === null) {
                        vErrors = [err34];
                      } else {
                        vErrors.push(err34);
                      }
                      errors++;
                    }
                  } else {
                    const err35 = { instancePath: instancePath + "/data/messages/" + i0 + "/recipient", schemaPath: "#/properties/data/properties/messages/items/properties/recipient/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err35];
                    } else {
                      vErrors.push(err35);
                    }
                    errors++;
                  }
                }
                if (data3.channel !== void 0 && func0.call(data3, "channel")) {
                  let data13 = data3.channel;
                  if (typeof data13 === "string") {
                    if (!pattern31.test(data13)) {
                      const err36 = { instancePath: instancePath + "/data/messages/" + i0 + "/channel", schemaPath: "#/properties/data/properties/messages/items/properties/channel/pattern", keyword: "pattern", params: { pattern: "^[a-z][a-z0-9-]{0,31}$" }, message: 'must match pattern "^[a-z][a-z0-9-]{0,31}$"' };
                      if (vErrors === null) {
                        vErrors = [err36];
                      } else {
                        vErrors.push(err36);
                      }
                      errors++;
                    }
                  } else {
                    const err37 = { instancePath: instancePath + "/data/messages/" + i0 + "/channel", schemaPath: "#/properties/data/properties/messages/items/properties/channel/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err37];
                    } else {
                      vErrors.push(err37);
                    }
                    errors++;
                  }
                }
                if (data3.template !== void 0 && func0.call(data3, "template")) {
                  let data14 = data3.template;
                  if (data14 && typeof data14 == "object" && !Array.isArray(data14)) {
                    if (data14.slug === void 0 || !func0.call(data14, "slug")) {
                      const err38 = { instancePath: instancePath + "/data/messages/" + i0 + "/template", schemaPath: "#/properties/data/properties/messages/items/properties/template/required", keyword: "required", params: { missingProperty: "slug" }, message: "must have required property 'slug'" };
                      if (vErrors === null) {
                        vErrors = [err38];
                      } else {
                        vErrors.push(err38);
                      }
                      errors++;
                    }
                    for (const key4 of Object.keys(data14)) {
                      if (!(key4 === "slug" || key4 === "version" || key4 === "locale")) {
                        const err39 = { instancePath: instancePath + "/data/messages/" + i0 + "/template", schemaPath: "#/properties/data/properties/messages/items/properties/template/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key4 }, message: "must NOT have additional properties" };
                        if (vErrors === null) {
                          vErrors = [err39];
                        } else {
                          vErrors.push(err39);
                        }
                        errors++;
                      }
                    }
                    if (data14.slug !== void 0 && func0.call(data14, "slug")) {
                      let data15 = data14.slug;
                      if (typeof data15 === "string") {
                        if (func76(data15) > 64) {
                          const err40 = { instancePath: instancePath + "/data/messages/" + i0 + "/template/slug", schemaPath: "#/properties/data/properties/messages/items/properties/template/properties/slug/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                          if (vErrors === null) {
                            vErrors = [err40];
                          } else {
                            vErrors.push(err40);
                          }
                          errors++;
                        }
                      } else {
                        const err41 = { instancePath: instancePath + "/data/messages/" + i0 + "/template/slug", schemaPath: "#/properties/data/properties/messages/items/properties/template/properties/slug/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        if (vErrors === null) {
                          vErrors = [err41];
                        } else {
                          vErrors.push(err41);
                        }
                        errors++;
                      }
                    }
                    if (data14.version !== void 0 && func0.call(data14, "version")) {
                      let data16 = data14.version;
                      if (!(typeof data16 == "number" && (!(data16 % 1) && !isNaN(data16)) && isFinite(data16))) {
                        const err42 = { instancePath: instancePath + "/data/messages/" + i0 + "/template/version", schemaPath: "#/properties/data/properties/messages/items/properties/template/properties/version/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                        if (vErrors === null) {
                          vErrors = [err42];
                        } else {
                          vErrors.push(err42);
                        }
                        errors++;
                      }
                      if (typeof data16 == "number" && isFinite(data16)) {
                        if (data16 > 2147483647 || isNaN(data16)) {
                          const err43 = { instancePath: instancePath + "/data/messages/" + i0 + "/template/version", schemaPath: "#/properties/data/properties/messages/items/properties/template/properties/version/maximum", keyword: "maximum", params: { comparison: "<=", limit: 2147483647 }, message: "must be <= 2147483647" };
                          if (vErrors === null) {
                            vErrors = [err43];
                          } else {
                            vErrors.push(err43);
                          }
                          errors++;
                        }
                        if (data16 < 1 || isNaN(data16)) {
                          const err44 = { instancePath: instancePath + "/data/messages/" + i0 + "/template/version", schemaPath: "#/properties/data/properties/messages/items/properties/template/properties/version/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                          if (vErrors === null) {
                            vErrors = [err44];
                          } else {
                            vErrors.push(err44);
                          }
                          errors++;
                        }
                      }
                    }
                    if (data14.locale !== void 0 && func0.call(data14, "locale")) {
                      let data17 = data14.locale;
                      if (typeof data17 === "string") {
                        if (func76(data17) > 35) {
                          const err45 = { instancePath: instancePath + "/data/messages/" + i0 + "/template/locale", schemaPath: "#/properties/data/properties/messages/items/properties/template/properties/locale/maxLength", keyword: "maxLength", params: { limit: 35 }, message: "must NOT have more than 35 characters" };
                          if (vErrors === null) {
                            vErrors = [err45];
                          } else {
                            vErrors.push(err45);
                          }
                          errors++;
                        }
                      } else {
                        const err46 = { instancePath: instancePath + "/data/messages/" + i0 + "/template/locale", schemaPath: "#/properties/data/properties/messages/items/properties/template/properties/locale/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        if (vErrors === null) {
                          vErrors = [err46];
                        } else {
                          vErrors.push(err46);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err47 = { instancePath: instancePath + "/data/messages/" + i0 + "/template", schemaPath: "#/properties/data/properties/messages/items/properties/template/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                    if (vErrors === null) {
                      vErrors = [err47];
                    } else {
                      vErrors.push(err47);
                    }
                    errors++;
                  }
                }
                if (data3.reference !== void 0 && func0.call(data3, "reference")) {
                  let data18 = data3.reference;
                  if (typeof data18 === "string") {
                    if (func76(data18) > 128) {
                      const err48 = { instancePath: instancePath + "/data/messages/" + i0 + "/reference", schemaPath: "#/properties/data/properties/messages/items/properties/reference/maxLength", keyword: "maxLength", params: { limit: 128 }, message: "must NOT have more than 128 characters" };
                      if (vErrors === null) {
                        vErrors = [err48];
                      } else {
                        vErrors.push(err48);
                      }
                      errors++;
                    }
                    if (func76(data18) < 1) {
                      const err49 = { instancePath: instancePath + "/data/messages/" + i0 + "/reference", schemaPath: "#/properties/data/properties/messages/items/properties/reference/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                      if (vErrors === null) {
                        vErrors = [err49];
                      } else {
                        vErrors.push(err49);
                      }
                      errors++;
                    }
                    if (!pattern32.test(data18)) {
                      const err50 = { instancePath: instancePath + "/data/messages/" + i0 + "/reference", schemaPath: "#/properties/data/properties/messages/items/properties/reference/pattern", keyword: "pattern", params: { pattern: "^([0-9]{1,7}|[0-9]{16,}|[0-9]*[A-Za-z._:/-][A-Za-z0-9._:/-]*)$" }, message: 'must match pattern "^([0-9]{1,7}|[0-9]{16,}|[0-9]*[A-Za-z._:/-][A-Za-z0-9._:/-]*)$"' };
                      if (vErrors === null) {
                        vErrors = [err50];
                      } else {
                        vErrors.push(err50);
                      }
                      errors++;
                    }
                  } else {
                    const err51 = { instancePath: instancePath + "/data/messages/" + i0 + "/reference", schemaPath: "#/properties/data/properties/messages/items/properties/reference/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err51];
                    } else {
                      vErrors.push(err51);
                    }
                    errors++;
                  }
                }
                if (data3.send_at !== void 0 && func0.call(data3, "send_at")) {
                  let data19 = data3.send_at;
                  if (typeof data19 === "string") {
                    if (!formats0.validate(data19)) {
                      const err52 = { instancePath: instancePath + "/data/messages/" + i0 + "/send_at", schemaPath: "#/properties/data/properties/messages/items/properties/send_at/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
                      if (vErrors === null) {
                        vErrors = [err52];
                      } else {
                        vErrors.push(err52);
                      }
                      errors++;
                    }
                  } else {
                    const err53 = { instancePath: instancePath + "/data/messages/" + i0 + "/send_at", schemaPath: "#/properties/data/properties/messages/items/properties/send_at/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err53];
                    } else {
                      vErrors.push(err53);
                    }
                    errors++;
                  }
                }
                if (data3.findings !== void 0 && func0.call(data3, "findings")) {
                  let data20 = data3.findings;
                  if (Array.isArray(data20)) {
                    if (data20.length > 50) {
                      const err54 = { instancePath: instancePath + "/data/messages/" + i0 + "/findings", schemaPath: "#/properties/data/properties/messages/items/properties/findings/maxItems", keyword: "maxItems", params: { limit: 50 }, message: "must NOT have more than 50 items" };
                      if (vErrors === null) {
                        vErrors = [err54];
                      } else {
                        vErrors.push(err54);
                      }
                      errors++;
                    }
                    if (data20.length < 1) {
                      const err55 = { instancePath: instancePath + "/data/messages/" + i0 + "/findings", schemaPath: "#/properties/data/properties/messages/items/properties/findings/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
                      if (vErrors === null) {
                        vErrors = [err55];
                      } else {
                        vErrors.push(err55);
                      }
                      errors++;
                    }
                    const len1 = data20.length;
                    for (let i1 = 0; i1 < len1; i1++) {
                      let data21 = data20[i1];
                      if (data21 && typeof data21 == "object" && !Array.isArray(data21)) {
                        if (data21.rule === void 0 || !func0.call(data21, "rule")) {
                          const err56 = { instancePath: instancePath + "/data/messages/" + i0 + "/findings/" + i1, schemaPath: "#/properties/data/properties/messages/items/properties/findings/items/required", keyword: "required", params: { missingProperty: "rule" }, message: "must have required property 'rule'" };
                          if (vErrors === null) {
                            vErrors = [err56];
                          } else {
                            vErrors.push(err56);
                          }
                          errors++;
                        }
                        if (data21.did === void 0 || !func0.call(data21, "did")) {
                          const err57 = { instancePath: instancePath + "/data/messages/" + i0 + "/findings/" + i1, schemaPath: "#/properties/data/properties/messages/items/properties/findings/items/required", keyword: "required", params: { missingProperty: "did" }, message: "must have required property 'did'" };
                          if (vErrors === null) {
                            vErrors = [err57];
                          } else {
                            vErrors.push(err57);
                          }
                          errors++;
                        }
                        for (const key5 of Object.keys(data21)) {
                          if (!(key5 === "rule" || key5 === "did")) {
                            const err58 = { instancePath: instancePath + "/data/messages/" + i0 + "/findings/" + i1, schemaPath: "#/properties/data/properties/messages/items/properties/findings/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key5 }, message: "must NOT have additional properties" };
                            if (vErrors === null) {
                              vErrors = [err58];
                            } else {
                              vErrors.push(err58);
                            }
                            errors++;
                          }
                        }
                        if (data21.rule !== void 0 && func0.call(data21, "rule")) {
                          let data22 = data21.rule;
                          if (typeof data22 === "string") {
                            if (func76(data22) > 32) {
                              const err59 = { instancePath: instancePath + "/data/messages/" + i0 + "/findings/" + i1 + "/rule", schemaPath: "#/properties/data/properties/messages/items/properties/findings/items/properties/rule/maxLength", keyword: "maxLength", params: { limit: 32 }, message: "must NOT have more than 32 characters" };
                              if (vErrors === null) {
                                vErrors = [err59];
                              } else {
                                vErrors.push(err59);
                              }
                              errors++;
                            }
                          } else {
                            const err60 = { instancePath: instancePath + "/data/messages/" + i0 + "/findings/" + i1 + "/rule", schemaPath: "#/properties/data/properties/messages/items/properties/findings/items/properties/rule/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err60];
                            } else {
                              vErrors.push(err60);
                            }
                            errors++;
                          }
                        }
                        if (data21.did !== void 0 && func0.call(data21, "did")) {
                          let data23 = data21.did;
                          if (typeof data23 !== "string") {
                            const err61 = { instancePath: instancePath + "/data/messages/" + i0 + "/findings/" + i1 + "/did", schemaPath: "#/properties/data/properties/messages/items/properties/findings/items/properties/did/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err61];
                            } else {
                              vErrors.push(err61);
                            }
                            errors++;
                          }
                          if (!(data23 === "record" || data23 === "challenge" || data23 === "block")) {
                            const err62 = { instancePath: instancePath + "/data/messages/" + i0 + "/findings/" + i1 + "/did", schemaPath: "#/properties/data/properties/messages/items/properties/findings/items/properties/did/enum", keyword: "enum", params: { allowedValues: schema48.properties.data.properties.messages.items.properties.findings.items.properties.did.enum }, message: "must be equal to one of the allowed values" };
                            if (vErrors === null) {
                              vErrors = [err62];
                            } else {
                              vErrors.push(err62);
                            }
                            errors++;
                          }
                        }
                      } else {
                        const err63 = { instancePath: instancePath + "/data/messages/" + i0 + "/findings/" + i1, schemaPath: "#/properties/data/properties/messages/items/properties/findings/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                        if (vErrors === null) {
                          vErrors = [err63];
                        } else {
                          vErrors.push(err63);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err64 = { instancePath: instancePath + "/data/messages/" + i0 + "/findings", schemaPath: "#/properties/data/properties/messages/items/properties/findings/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                    if (vErrors === null) {
                      vErrors = [err64];
                    } else {
                      vErrors.push(err64);
                    }
                    errors++;
                  }
                }
              } else {
                const err65 = { instancePath: instancePath + "/data/messages/" + i0, schemaPath: "#/properties/data/properties/messages/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                if (vErrors === null) {
                  vErrors = [err65];
                } else {
                  vErrors.push(err65);
                }
                errors++;
              }
            }
          } else {
            const err66 = { instancePath: instancePath + "/data/messages", schemaPath: "#/properties/data/properties/messages/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            if (vErrors === null) {
              vErrors = [err66];
            } else {
              vErrors.push(err66);
            }
            errors++;
          }
        }
        if (data1.next !== void 0 && func0.call(data1, "next")) {
          let data24 = data1.next;
          if (typeof data24 !== "string" && data24 !== null) {
            const err67 = { instancePath: instancePath + "/data/next", schemaPath: "#/properties/data/properties/next/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err67];
            } else {
              vErrors.push(err67);
            }
            errors++;
          }
          if (typeof data24 === "string") {
            if (!pattern1.test(data24)) {
              const err68 = { instancePath: instancePath + "/data/next", schemaPath: "#/properties/data/properties/next/pattern", keyword: "pattern", params: { pattern: "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, message: 'must match pattern "^req_[0-9A-HJKMNP-TV-Z]{26}$"' };
              if (vErrors === null) {
                vErrors = [err68];
              } else {
                vErrors.push(err68);
              }
              errors++;
            }
          }
        }
      } else {
        const err69 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err69];
        } else {
          vErrors.push(err69);
        }
        errors++;
      }
    }
  } else {
    const err70 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err70];
    } else {
      vErrors.push(err70);
    }
    errors++;
  }
  validate101.errors = vErrors;
  return errors === 0;
}
exports["listMessages.200"] = validate102;
function validate102(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate35(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate101(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate101.errors : vErrors.concat(validate101.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate102.errors = vErrors;
  return errors === 0;
}
exports["listMessages.400.body"] = validate105;
var schema50 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [false] }, "data": { "type": "object", "required": ["code", "message", "trace_id"], "properties": { "code": { "type": "string", "enum": ["invalid_request"] }, "message": { "type": "string" }, "details": { "type": "array", "minItems": 1, "maxItems": 20, "items": { "type": "object", "required": ["field", "code", "message"], "properties": { "field": { "type": "string", "maxLength": 100 }, "code": { "type": "string", "enum": ["missing", "unknown", "wrong_type", "wrong_format", "too_short", "too_long", "too_small", "too_large", "too_many", "repeated", "excluded", "blocked", "challenged", "spent"] }, "message": { "type": "string" } }, "additionalProperties": false } }, "trace_id": { "type": "string", "pattern": "^[0-9a-f]{32}$" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate105(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === false)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema50.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.code === void 0 || !func0.call(data1, "code")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.message === void 0 || !func0.call(data1, "message")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.trace_id === void 0 || !func0.call(data1, "trace_id")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "trace_id" }, message: "must have required property 'trace_id'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "code" || key1 === "message" || key1 === "details" || key1 === "trace_id")) {
            const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data1.code !== void 0 && func0.call(data1, "code")) {
          let data2 = data1.code;
          if (typeof data2 !== "string") {
            const err9 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
          if (!(data2 === "invalid_request")) {
            const err10 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/enum", keyword: "enum", params: { allowedValues: schema50.properties.data.properties.code.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data1.message !== void 0 && func0.call(data1, "message")) {
          if (typeof data1.message !== "string") {
            const err11 = { instancePath: instancePath + "/data/message", schemaPath: "#/properties/data/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.details !== void 0 && func0.call(data1, "details")) {
          let data4 = data1.details;
          if (Array.isArray(data4)) {
            if (data4.length > 20) {
              const err12 = { instancePath: instancePath + "/data/details", schemaPath: "#/properties/data/properties/details/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
            if (data4.length < 1) {
              const err13 = { instancePath: instancePath + "/data/details", schemaPath: "#/properties/data/properties/details/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
              if (vErrors === null) {
                vErrors = [err13];
              } else {
                vErrors.push(err13);
              }
              errors++;
            }
            const len0 = data4.length;
            for (let i0 = 0; i0 < len0; i0++) {
              let data5 = data4[i0];
              if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
                if (data5.field === void 0 || !func0.call(data5, "field")) {
                  const err14 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/required", keyword: "required", params: { missingProperty: "field" }, message: "must have required property 'field'" };
                  if (vErrors === null) {
                    vErrors = [err14];
                  } else {
                    vErrors.push(err14);
                  }
                  errors++;
                }
                if (data5.code === void 0 || !func0.call(data5, "code")) {
                  const err15 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
                  if (vErrors === null) {
                    vErrors = [err15];
                  } else {
                    vErrors.push(err15);
                  }
                  errors++;
                }
                if (data5.message === void 0 || !func0.call(data5, "message")) {
                  const err16 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
                  if (vErrors === null) {
                    vErrors = [err16];
                  } else {
                    vErrors.push(err16);
                  }
                  errors++;
                }
                for (const key2 of Object.keys(data5)) {
                  if (!(key2 === "field" || key2 === "code" || key2 === "message")) {
                    const err17 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
                    if (vErrors === null) {
                      vErrors = [err17];
                    } else {
                      vErrors.push(err17);
                    }
                    errors++;
                  }
                }
                if (data5.field !== void 0 && func0.call(data5, "field")) {
                  let data6 = data5.field;
                  if (typeof data6 === "string") {
                    if (func76(data6) > 100) {
                      const err18 = { instancePath: instancePath + "/data/details/" + i0 + "/field", schemaPath: "#/properties/data/properties/details/items/properties/field/maxLength", keyword: "maxLength", params: { limit: 100 }, message: "must NOT have more than 100 characters" };
                      if (vErrors === null) {
                        vErrors = [err18];
                      } else {
                        vErrors.push(err18);
                      }
                      errors++;
                    }
                  } else {
                    const err19 = { instancePath: instancePath + "/data/details/" + i0 + "/field", schemaPath: "#/properties/data/properties/details/items/properties/field/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err19];
                    } else {
                      vErrors.push(err19);
                    }
                    errors++;
                  }
                }
                if (data5.code !== void 0 && func0.call(data5, "code")) {
                  let data7 = data5.code;
                  if (typeof data7 !== "string") {
                    const err20 = { instancePath: instancePath + "/data/details/" + i0 + "/code", schemaPath: "#/properties/data/properties/details/items/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err20];
                    } else {
                      vErrors.push(err20);
                    }
                    errors++;
                  }
                  if (!(data7 === "missing" || data7 === "unknown" || data7 === "wrong_type" || data7 === "wrong_format" || data7 === "too_short" || data7 === "too_long" || data7 === "too_small" || data7 === "too_large" || data7 === "too_many" || data7 === "repeated" || data7 === "excluded" || data7 === "blocked" || data7 === "challenged" || data7 === "spent")) {
                    const err21 = { instancePath: instancePath + "/data/details/" + i0 + "/code", schemaPath: "#/properties/data/properties/details/items/properties/code/enum", keyword: "enum", params: { allowedValues: schema50.properties.data.properties.details.items.properties.code.enum }, message: "must be equal to one of the allowed values" };
                    if (vErrors === null) {
                      vErrors = [err21];
                    } else {
                      vErrors.push(err21);
                    }
                    errors++;
                  }
                }
                if (data5.message !== void 0 && func0.call(data5, "message")) {
                  if (typeof data5.message !== "string") {
                    const err22 = { instancePath: instancePath + "/data/details/" + i0 + "/message", schemaPath: "#/properties/data/properties/details/items/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err22];
                    } else {
                      vErrors.push(err22);
                    }
                    errors++;
                  }
                }
              } else {
                const err23 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                if (vErrors === null) {
                  vErrors = [err23];
                } else {
                  vErrors.push(err23);
                }
                errors++;
              }
            }
          } else {
            const err24 = { instancePath: instancePath + "/data/details", schemaPath: "#/properties/data/properties/details/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            if (vErrors === null) {
              vErrors = [err24];
            } else {
              vErrors.push(err24);
            }
            errors++;
          }
        }
        if (data1.trace_id !== void 0 && func0.call(data1, "trace_id")) {
          let data9 = data1.trace_id;
          if (typeof data9 === "string") {
            if (!pattern0.test(data9)) {
              const err25 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
              if (vErrors === null) {
                vErrors = [err25];
              } else {
                vErrors.push(err25);
              }
              errors++;
            }
          } else {
            const err26 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err26];
            } else {
              vErrors.push(err26);
            }
            errors++;
          }
        }
      } else {
        const err27 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err27];
        } else {
          vErrors.push(err27);
        }
        errors++;
      }
    }
  } else {
    const err28 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err28];
    } else {
      vErrors.push(err28);
    }
    errors++;
  }
  validate105.errors = vErrors;
  return errors === 0;
}
exports["listMessages.400"] = validate106;
function validate106(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate35(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate105(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate105.errors : vErrors.concat(validate105.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate106.errors = vErrors;
  return errors === 0;
}
exports["getMessage.200.body"] = validate109;
var schema52 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [true] }, "data": { "type": "object", "required": ["id", "kind", "status", "timestamp", "created_at", "recipient", "channel", "attempts"], "properties": { "id": { "type": "string", "pattern": "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, "kind": { "type": "string", "enum": ["verification", "notification"] }, "status": { "type": "string", "enum": ["queued", "sent", "delivered", "read", "failed", "expired"] }, "timestamp": { "type": "string", "format": "date-time" }, "error": { "type": "object", "required": ["code", "message"], "properties": { "code": { "type": "string", "enum": ["not_on_channel", "rejected_by_channel", "channel_unavailable", "not_delivered", "superseded", "opted_out", "unreachable", "country_blocked", "send_limit_reached", "budget_spent"] }, "message": { "type": "string" } }, "additionalProperties": false }, "created_at": { "type": "string", "format": "date-time" }, "expires_at": { "type": "string", "format": "date-time" }, "recipient": { "type": "string", "pattern": "^rcp_[0-9a-f]{20}$" }, "channel": { "type": "string", "pattern": "^[a-z][a-z0-9-]{0,31}$" }, "template": { "type": "object", "required": ["slug"], "properties": { "slug": { "type": "string", "maxLength": 64 }, "version": { "type": "integer", "minimum": 1, "maximum": 2147483647 }, "locale": { "type": "string", "maxLength": 35 } }, "additionalProperties": false }, "reference": { "type": "string", "minLength": 1, "maxLength": 128, "pattern": "^([0-9]{1,7}|[0-9]{16,}|[0-9]*[A-Za-z._:/-][A-Za-z0-9._:/-]*)$" }, "send_at": { "type": "string", "format": "date-time" }, "resend_of": { "type": "string", "pattern": "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, "attempts": { "type": "array", "maxItems": 100, "items": { "type": "object", "required": ["channel", "status", "timestamp"], "properties": { "channel": { "type": "string", "pattern": "^[a-z][a-z0-9-]{0,31}$" }, "kind": { "type": "string", "enum": ["whatsapp", "telegram", "sms", "http", "sandbox"] }, "status": { "type": "string", "enum": ["queued", "sent", "delivered", "read", "failed", "expired"] }, "timestamp": { "type": "string", "format": "date-time" }, "error": { "type": "object", "required": ["code", "message"], "properties": { "code": { "type": "string", "enum": ["not_on_channel", "rejected_by_channel", "channel_unavailable", "not_delivered", "superseded", "opted_out", "unreachable", "country_blocked", "send_limit_reached", "budget_spent"] }, "message": { "type": "string" } }, "additionalProperties": false }, "segments": { "type": "integer", "minimum": 1, "maximum": 100 }, "price": { "type": "object", "required": ["amount", "currency"], "properties": { "amount": { "type": "string", "pattern": "^[0-9]{1,12}(\\.[0-9]{1,20})?$" }, "currency": { "type": "string", "pattern": "^[A-Z]{3}$" } }, "additionalProperties": false } }, "additionalProperties": false } }, "prices": { "type": "array", "minItems": 1, "maxItems": 100, "items": { "type": "object", "required": ["amount", "currency"], "properties": { "amount": { "type": "string", "pattern": "^[0-9]{1,12}(\\.[0-9]{1,20})?$" }, "currency": { "type": "string", "pattern": "^[A-Z]{3}$" } }, "additionalProperties": false } }, "findings": { "type": "array", "minItems": 1, "maxItems": 50, "items": { "type": "object", "required": ["rule", "did"], "properties": { "rule": { "type": "string", "maxLength": 32 }, "did": { "type": "string", "enum": ["record", "challenge", "block"] } }, "additionalProperties": false } } }, "additionalProperties": false } }, "additionalProperties": false };
var pattern41 = new RegExp("^[0-9]{1,12}(\\.[0-9]{1,20})?$", "u");
var pattern42 = new RegExp("^[A-Z]{3}$", "u");
function validate109(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === true)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema52.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.id === void 0 || !func0.call(data1, "id")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "id" }, message: "must have required property 'id'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.kind === void 0 || !func0.call(data1, "kind")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "kind" }, message: "must have required property 'kind'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.status === void 0 || !func0.call(data1, "status")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "status" }, message: "must have required property 'status'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        if (data1.timestamp === void 0 || !func0.call(data1, "timestamp")) {
          const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "timestamp" }, message: "must have required property 'timestamp'" };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
        if (data1.created_at === void 0 || !func0.call(data1, "created_at")) {
          const err9 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "created_at" }, message: "must have required property 'created_at'" };
          if (vErrors === null) {
            vErrors = [err9];
          } else {
            vErrors.push(err9);
          }
          errors++;
        }
        if (data1.recipient === void 0 || !func0.call(data1, "recipient")) {
          const err10 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "recipient" }, message: "must have required property 'recipient'" };
          if (vErrors === null) {
            vErrors = [err10];
          } else {
            vErrors.push(err10);
          }
          errors++;
        }
        if (data1.channel === void 0 || !func0.call(data1, "channel")) {
          const err11 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "channel" }, message: "must have required property 'channel'" };
          if (vErrors === null) {
            vErrors = [err11];
          } else {
            vErrors.push(err11);
          }
          errors++;
        }
        if (data1.attempts === void 0 || !func0.call(data1, "attempts")) {
          const err12 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "attempts" }, message: "must have required property 'attempts'" };
          if (vErrors === null) {
            vErrors = [err12];
          } else {
            vErrors.push(err12);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!func0.call(schema52.properties.data.properties, key1)) {
            const err13 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
        if (data1.id !== void 0 && func0.call(data1, "id")) {
          let data2 = data1.id;
          if (typeof data2 === "string") {
            if (!pattern1.test(data2)) {
              const err14 = { instancePath: instancePath + "/data/id", schemaPath: "#/properties/data/properties/id/pattern", keyword: "pattern", params: { pattern: "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, message: 'must match pattern "^req_[0-9A-HJKMNP-TV-Z]{26}$"' };
              if (vErrors === null) {
                vErrors = [err14];
              } else {
                vErrors.push(err14);
              }
              errors++;
            }
          } else {
            const err15 = { instancePath: instancePath + "/data/id", schemaPath: "#/properties/data/properties/id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err15];
            } else {
              vErrors.push(err15);
            }
            errors++;
          }
        }
        if (data1.kind !== void 0 && func0.call(data1, "kind")) {
          let data3 = data1.kind;
          if (typeof data3 !== "string") {
            const err16 = { instancePath: instancePath + "/data/kind", schemaPath: "#/properties/data/properties/kind/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err16];
            } else {
              vErrors.push(err16);
            }
            errors++;
          }
          if (!(data3 === "verification" || data3 === "notification")) {
            const err17 = { instancePath: instancePath + "/data/kind", schemaPath: "#/properties/data/properties/kind/enum", keyword: "enum", params: { allowedValues: schema52.properties.data.properties.kind.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err17];
            } else {
              vErrors.push(err17);
            }
            errors++;
          }
        }
        if (data1.status !== void 0 && func0.call(data1, "status")) {
          let data4 = data1.status;
          if (typeof data4 !== "string") {
            const err18 = { instancePath: instancePath + "/data/status", schemaPath: "#/properties/data/properties/status/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err18];
            } else {
              vErrors.push(err18);
            }
            errors++;
          }
          if (!(data4 === "queued" || data4 === "sent" || data4 === "delivered" || data4 === "read" || data4 === "failed" || data4 === "expired")) {
            const err19 = { instancePath: instancePath + "/data/status", schemaPath: "#/properties/data/properties/status/enum", keyword: "enum", params: { allowedValues: schema52.properties.data.properties.status.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err19];
            } else {
              vErrors.push(err19);
            }
            errors++;
          }
        }
        if (data1.timestamp !== void 0 && func0.call(data1, "timestamp")) {
          let data5 = data1.timestamp;
          if (typeof data5 === "string") {
            if (!formats0.validate(data5)) {
              const err20 = { instancePath: instancePath + "/data/timestamp", schemaPath: "#/properties/data/properties/timestamp/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
              if (vErrors === null) {
                vErrors = [err20];
              } else {
                vErrors.push(err20);
              }
              errors++;
            }
          } else {
            const err21 = { instancePath: instancePath + "/data/timestamp", schemaPath: "#/properties/data/properties/timestamp/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err21];
            } else {
              vErrors.push(err21);
            }
            errors++;
          }
        }
        if (data1.error !== void 0 && func0.call(data1, "error")) {
          let data6 = data1.error;
          if (data6 && typeof data6 == "object" && !Array.isArray(data6)) {
            if (data6.code === void 0 || !func0.call(data6, "code")) {
              const err22 = { instancePath: instancePath + "/data/error", schemaPath: "#/properties/data/properties/error/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
              if (vErrors === null) {
                vErrors = [err22];
              } else {
                vErrors.push(err22);
              }
              errors++;
            }
            if (data6.message === void 0 || !func0.call(data6, "message")) {
              const err23 = { instancePath: instancePath + "/data/error", schemaPath: "#/properties/data/properties/error/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
              if (vErrors === null) {
                vErrors = [err23];
              } else {
                vErrors.push(err23);
              }
              errors++;
            }
            for (const key2 of Object.keys(data6)) {
              if (!(key2 === "code" || key2 === "message")) {
                const err24 = { instancePath: instancePath + "/data/error", schemaPath: "#/properties/data/properties/error/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
                if (vErrors === null) {
                  vErrors = [err24];
                } else {
                  vErrors.push(err24);
                }
                errors++;
              }
            }
            if (data6.code !== void 0 && func0.call(data6, "code")) {
              let data7 = data6.code;
              if (typeof data7 !== "string") {
                const err25 = { instancePath: instancePath + "/data/error/code", schemaPath: "#/properties/data/properties/error/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err25];
                } else {
                  vErrors.push(err25);
                }
                errors++;
              }
              if (!(data7 === "not_on_channel" || data7 === "rejected_by_channel" || data7 === "channel_unavailable" || data7 === "not_delivered" || data7 === "superseded" || data7 === "opted_out" || data7 === "unreachable" || data7 === "country_blocked" || data7 === "send_limit_reached" || data7 === "budget_spent")) {
                const err26 = { instancePath: instancePath + "/data/error/code", schemaPath: "#/properties/data/properties/error/properties/code/enum", keyword: "enum", params: { allowedValues: schema52.properties.data.properties.error.properties.code.enum }, message: "must be equal to one of the allowed values" };
                if (vErrors === null) {
                  vErrors = [err26];
                } else {
                  vErrors.push(err26);
                }
                errors++;
              }
            }
            if (data6.message !== void 0 && func0.call(data6, "message")) {
              if (typeof data6.message !== "string") {
                const err27 = { instancePath: instancePath + "/data/error/message", schemaPath: "#/properties/data/properties/error/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err27];
                } else {
                  vErrors.push(err27);
                }
                errors++;
              }
            }
          } else {
            const err28 = { instancePath: instancePath + "/data/error", schemaPath: "#/properties/data/properties/error/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            if (vErrors === null) {
              vErrors = [err28];
            } else {
              vErrors.push(err28);
            }
            errors++;
          }
        }
        if (data1.created_at !== void 0 && func0.call(data1, "created_at")) {
          let data9 = data1.created_at;
          if (typeof data9 === "string") {
            if (!formats0.validate(data9)) {
              const err29 = { instancePath: instancePath + "/data/created_at", schemaPath: "#/properties/data/properties/created_at/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
              if (vErrors === null) {
                vErrors = [err29];
              } else {
                vErrors.push(err29);
              }
              errors++;
            }
          } else {
            const err30 = { instancePath: instancePath + "/data/created_at", schemaPath: "#/properties/data/properties/created_at/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err30];
            } else {
              vErrors.push(err30);
            }
            errors++;
          }
        }
        if (data1.expires_at !== void 0 && func0.call(data1, "expires_at")) {
          let data10 = data1.expires_at;
          if (typeof data10 === "string") {
            if (!formats0.validate(data10)) {
              const err31 = { instancePath: instancePath + "/data/expires_at", schemaPath: "#/properties/data/properties/expires_at/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
              if (vErrors === null) {
                vErrors = [err31];
              } else {
                vErrors.push(err31);
              }
              errors++;
            }
          } else {
            const err32 = { instancePath: instancePath + "/data/expires_at", schemaPath: "#/properties/data/properties/expires_at/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err32];
            } else {
              vErrors.push(err32);
            }
            errors++;
          }
        }
        if (data1.recipient !== void 0 && func0.call(data1, "recipient")) {
          let data11 = data1.recipient;
          if (typeof data11 === "string") {
            if (!pattern30.test(data11)) {
              const err33 = { instancePath: instancePath + "/data/recipient", schemaPath: "#/properties/data/properties/recipient/pattern", keyword: "pattern", params: { pattern: "^rcp_[0-9a-f]{20}$" }, message: 'must match pattern "^rcp_[0-9a-f]{20}$"' };
              if (vErrors === null) {
                vErrors = [err33];
              } else {
                vErrors.push(err33);
              }
              errors++;
            }
          } else {
            const err34 = { instancePath: instancePath + "/data/recipient", schemaPath: "#/properties/data/properties/recipient/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err34];
            } else {
              vErrors.push(err34);
            }
            errors++;
          }
        }
        if (data1.channel !== void 0 && func0.call(data1, "channel")) {
          let data12 = data1.channel;
          if (typeof data12 === "string") {
            if (!pattern31.test(data12)) {
              const err35 = { instancePath: instancePath + "/data/channel", schemaPath: "#/properties/data/properties/channel/pattern", keyword: "pattern", params: { pattern: "^[a-z][a-z0-9-]{0,31}$" }, message: 'must match pattern "^[a-z][a-z0-9-]{0,31}$"' };
              if (vErrors === null) {
                vErrors = [err35];
              } else {
                vErrors.push(err35);
              }
              errors++;
            }
          } else {
            const err36 = { instancePath: instancePath + "/data/channel", schemaPath: "#/properties/data/properties/channel/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err36];
            } else {
              vErrors.push(err36);
            }
            errors++;
          }
        }
        if (data1.template !== void 0 && func0.call(data1, "template")) {
          let data13 = data1.template;
          if (data13 && typeof data13 == "object" && !Array.isArray(data13)) {
            if (data13.slug === void 0 || !func0.call(data13, "slug")) {
              const err37 = { instancePath: instancePath + "/data/template", schemaPath: "#/properties/data/properties/template/required", keyword: "required", params: { missingProperty: "slug" }, message: "must have required property 'slug'" };
              if (vErrors === null) {
                vErrors = [err37];
              } else {
                vErrors.push(err37);
              }
              errors++;
            }
            for (const key3 of Object.keys(data13)) {
              if (!(key3 === "slug" || key3 === "version" || key3 === "locale")) {
                const err38 = { instancePath: instancePath + "/data/template", schemaPath: "#/properties/data/properties/template/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 }, message: "must NOT have additional properties" };
                if (vErrors === null) {
                  vErrors = [err38];
                } else {
                  vErrors.push(err38);
                }
                errors++;
              }
            }
            if (data13.slug !== void 0 && func0.call(data13, "slug")) {
              let data14 = data13.slug;
              if (typeof data14 === "string") {
                if (func76(data14) > 64) {
                  const err39 = { instancePath: instancePath + "/data/template/slug", schemaPath: "#/properties/data/properties/template/properties/slug/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                  if (vErrors === null) {
                    vErrors = [err39];
                  } else {
                    vErrors.push(err39);
                  }
                  errors++;
                }
              } else {
                const err40 = { instancePath: instancePath + "/data/template/slug", schemaPath: "#/properties/data/properties/template/properties/slug/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err40];
                } else {
                  vErrors.push(err40);
                }
                errors++;
              }
            }
            if (data13.version !== void 0 && func0.call(data13, "version")) {
              let data15 = data13.version;
              if (!(typeof data15 == "number" && (!(data15 % 1) && !isNaN(data15)) && isFinite(data15))) {
                const err41 = { instancePath: instancePath + "/data/template/version", schemaPath: "#/properties/data/properties/template/properties/version/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                if (vErrors === null) {
                  vErrors = [err41];
                } else {
                  vErrors.push(err41);
                }
                errors++;
              }
              if (typeof data15 == "number" && isFinite(data15)) {
                if (data15 > 2147483647 || isNaN(data15)) {
                  const err42 = { instancePath: instancePath + "/data/template/version", schemaPath: "#/properties/data/properties/template/properties/version/maximum", keyword: "maximum", params: { comparison: "<=", limit: 2147483647 }, message: "must be <= 2147483647" };
                  if (vErrors === null) {
                    vErrors = [err42];
                  } else {
                    vErrors.push(err42);
                  }
                  errors++;
                }
                if (data15 < 1 || isNaN(data15)) {
                  const err43 = { instancePath: instancePath + "/data/template/version", schemaPath: "#/properties/data/properties/template/properties/version/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  if (vErrors === null) {
                    vErrors = [err43];
                  } else {
                    vErrors.push(err43);
                  }
                  errors++;
                }
              }
            }
            if (data13.locale !== void 0 && func0.call(data13, "locale")) {
              let data16 = data13.locale;
              if (typeof data16 === "string") {
                if (func76(data16) > 35) {
                  const err44 = { instancePath: instancePath + "/data/template/locale", schemaPath: "#/properties/data/properties/template/properties/locale/maxLength", keyword: "maxLength", params: { limit: 35 }, message: "must NOT have more than 35 characters" };
                  if (vErrors === null) {
                    vErrors = [err44];
                  } else {
                    vErrors.push(err44);
                  }
                  errors++;
                }
              } else {
                const err45 = { instancePath: instancePath + "/data/template/locale", schemaPath: "#/properties/data/properties/template/properties/locale/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err45];
                } else {
                  vErrors.push(err45);
                }
                errors++;
              }
            }
          } else {
            const err46 = { instancePath: instancePath + "/data/template", schemaPath: "#/properties/data/properties/template/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            if (vErrors === null) {
              vErrors = [err46];
            } else {
              vErrors.push(err46);
            }
            errors++;
          }
        }
        if (data1.reference !== void 0 && func0.call(data1, "reference")) {
          let data17 = data1.reference;
          if (typeof data17 === "string") {
            if (func76(data17) > 128) {
              const err47 = { instancePath: instancePath + "/data/reference", schemaPath: "#/properties/data/properties/reference/maxLength", keyword: "maxLength", params: { limit: 128 }, message: "must NOT have more than 128 characters" };
              if (vErrors === null) {
                vErrors = [err47];
              } else {
                vErrors.push(err47);
              }
              errors++;
            }
            if (func76(data17) < 1) {
              const err48 = { instancePath: instancePath + "/data/reference", schemaPath: "#/properties/data/properties/reference/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err48];
              } else {
                vErrors.push(err48);
              }
              errors++;
            }
            if (!pattern32.test(data17)) {
              const err49 = { instancePath: instancePath + "/data/reference", schemaPath: "#/properties/data/properties/reference/pattern", keyword: "pattern", params: { pattern: "^([0-9]{1,7}|[0-9]{16,}|[0-9]*[A-Za-z._:/-][A-Za-z0-9._:/-]*)$" }, message: 'must match pattern "^([0-9]{1,7}|[0-9]{16,}|[0-9]*[A-Za-z._:/-][A-Za-z0-9._:/-]*)$"' };
              if (vErrors === null) {
                vErrors = [err49];
              } else {
                vErrors.push(err49);
              }
              errors++;
            }
          } else {
            const err50 = { instancePath: instancePath + "/data/reference", schemaPath: "#/properties/data/properties/reference/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err50];
            } else {
              vErrors.push(err50);
            }
            errors++;
          }
        }
        if (data1.send_at !== void 0 && func0.call(data1, "send_at")) {
          let data18 = data1.send_at;
          if (typeof data18 === "string") {
            if (!formats0.validate(data18)) {
              const err51 = { instancePath: instancePath + "/data/send_at", schemaPath: "#/properties/data/properties/send_at/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
              if (vErrors === null) {
                vErrors = [err51];
              } else {
                vErrors.push(err51);
              }
              errors++;
            }
          } else {
            const err52 = { instancePath: instancePath + "/data/send_at", schemaPath: "#/properties/data/properties/send_at/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err52];
            } else {
              vErrors.push(err52);
            }
            errors++;
          }
        }
        if (data1.resend_of !== void 0 && func0.call(data1, "resend_of")) {
          let data19 = data1.resend_of;
          if (typeof data19 === "string") {
            if (!pattern1.test(data19)) {
              const err53 = { instancePath: instancePath + "/data/resend_of", schemaPath: "#/properties/data/properties/resend_of/pattern", keyword: "pattern", params: { pattern: "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, message: 'must match pattern "^req_[0-9A-HJKMNP-TV-Z]{26}$"' };
              if (vErrors === null) {
                vErrors = [err53];
              } else {
                vErrors.push(err53);
              }
              errors++;
            }
          } else {
            const err54 = { instancePath: instancePath + "/data/resend_of", schemaPath: "#/properties/data/properties/resend_of/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err54];
            } else {
              vErrors.push(err54);
            }
            errors++;
          }
        }
        if (data1.attempts !== void 0 && func0.call(data1, "attempts")) {
          let data20 = data1.attempts;
          if (Array.isArray(data20)) {
            if (data20.length > 100) {
              const err55 = { instancePath: instancePath + "/data/attempts", schemaPath: "#/properties/data/properties/attempts/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
              if (vErrors === null) {
                vErrors = [err55];
              } else {
                vErrors.push(err55);
              }
              errors++;
            }
            const len0 = data20.length;
            for (let i0 = 0; i0 < len0; i0++) {
              let data21 = data20[i0];
              if (data21 && typeof data21 == "object" && !Array.isArray(data21)) {
                if (data21.channel === void 0 || !func0.call(data21, "channel")) {
                  const err56 = { instancePath: instancePath + "/data/attempts/" + i0, schemaPath: "#/properties/data/properties/attempts/items/required", keyword: "required", params: { missingProperty: "channel" }, message: "must have required property 'channel'" };
                  if (vErrors === null) {
                    vErrors = [err56];
                  } else {
                    vErrors.push(err56);
                  }
                  errors++;
                }
                if (data21.status === void 0 || !func0.call(data21, "status")) {
                  const err57 = { instancePath: instancePath + "/data/attempts/" + i0, schemaPath: "#/properties/data/properties/attempts/items/required", keyword: "required", params: { missingProperty: "status" }, message: "must have required property 'status'" };
                  if (vErrors === null) {
                    vErrors = [err57];
                  } else {
                    vErrors.push(err57);
                  }
                  errors++;
                }
                if (data21.timestamp === void 0 || !func0.call(data21, "timestamp")) {
                  const err58 = { instancePath: instancePath + "/data/attempts/" + i0, schemaPath: "#/properties/data/properties/attempts/items/required", keyword: "required", params: { missingProperty: "timestamp" }, message: "must have required property 'timestamp'" };
                  if (vErrors === null) {
                    vErrors = [err58];
                  } else {
                    vErrors.push(err58);
                  }
                  errors++;
                }
                for (const key4 of Object.keys(data21)) {
                  if (!(key4 === "channel" || key4 === "kind" || key4 === "status" || key4 === "timestamp" || key4 === "error" || key4 === "segments" || key4 === "price")) {
                    const err59 = { instancePath: instancePath + "/data/attempts/" + i0, schemaPath: "#/properties/data/properties/attempts/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key4 }, message: "must NOT have additional properties" };
                    if (vErrors === null) {
                      vErrors = [err59];
                    } else {
                      vErrors.push(err59);
                    }
                    errors++;
                  }
                }
                if (data21.channel !== void 0 && func0.call(data21, "channel")) {
                  let data22 = data21.channel;
                  if (typeof data22 === "string") {
                    if (!pattern31.test(data22)) {
                      const err60 = { instancePath: instancePath + "/data/attempts/" + i0 + "/channel", schemaPath: "#/properties/data/properties/attempts/items/properties/channel/pattern", keyword: "pattern", params: { pattern: "^[a-z][a-z0-9-]{0,31}$" }, message: 'must match pattern "^[a-z][a-z0-9-]{0,31}$"' };
                      if (vErrors === null) {
                        vErrors = [err60];
                      } else {
                        vErrors.push(err60);
                      }
                      errors++;
                    }
                  } else {
                    const err61 = { instancePath: instancePath + "/data/attempts/" + i0 + "/channel", schemaPath: "#/properties/data/properties/attempts/items/properties/channel/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err61];
                    } else {
                      vErrors.push(err61);
                    }
                    errors++;
                  }
                }
                if (data21.kind !== void 0 && func0.call(data21, "kind")) {
                  let data23 = data21.kind;
                  if (typeof data23 !== "string") {
                    const err62 = { instancePath: instancePath + "/data/attempts/" + i0 + "/kind", schemaPath: "#/properties/data/properties/attempts/items/properties/kind/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err62];
                    } else {
                      vErrors.push(err62);
                    }
                    errors++;
                  }
                  if (!(data23 === "whatsapp" || data23 === "telegram" || data23 === "sms" || data23 === "http" || data23 === "sandbox")) {
                    const err63 = { instancePath: instancePath + "/data/attempts/" + i0 + "/kind", schemaPath: "#/properties/data/properties/attempts/items/properties/kind/enum", keyword: "enum", params: { allowedValues: schema52.properties.data.properties.attempts.items.properties.kind.enum }, message: "must be equal to one of the allowed values" };
                    if (vErrors === null) {
                      vErrors = [err63];
                    } else {
                      vErrors.push(err63);
                    }
                    errors++;
                  }
                }
                if (data21.status !== void 0 && func0.call(data21, "status")) {
                  let data24 = data21.status;
                  if (typeof data24 !== "string") {
                    const err64 = { instancePath: instancePath + "/data/attempts/" + i0 + "/status", schemaPath: "#/properties/data/properties/attempts/items/properties/status/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err64];
                    } else {
                      vErrors.push(err64);
                    }
                    errors++;
                  }
                  if (!(data24 === "queued" || data24 === "sent" || data24 === "delivered" || data24 === "read" || data24 === "failed" || data24 === "expired")) {
                    const err65 = { instancePath: instancePath + "/data/attempts/" + i0 + "/status", schemaPath: "#/properties/data/properties/attempts/items/properties/status/enum", keyword: "enum", params: { allowedValues: schema52.properties.data.properties.attempts.items.properties.status.enum }, message: "must be equal to one of the allowed values" };
                    if (vErrors === null) {
                      vErrors = [err65];
                    } else {
                      vErrors.push(err65);
                    }
                    errors++;
                  }
                }
                if (data21.timestamp !== void 0 && func0.call(data21, "timestamp")) {
                  let data25 = data21.timestamp;
                  if (typeof data25 === "string") {
                    if (!formats0.validate(data25)) {
                      const err66 = { instancePath: instancePath + "/data/attempts/" + i0 + "/timestamp", schemaPath: "#/properties/data/properties/attempts/items/properties/timestamp/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
                      if (vErrors === null) {
                        vErrors = [err66];
                      } else {
                        vErrors.push(err66);
                      }
                      errors++;
                    }
                  } else {
                    const err67 = { instancePath: instancePath + "/data/attempts/" + i0 + "/timestamp", schemaPath: "#/properties/data/properties/attempts/items/properties/timestamp/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err67];
                    } else {
                      vErrors.push(err67);
                    }
                    errors++;
                  }
                }
                if (data21.error !== void 0 && func0.call(data21, "error")) {
                  let data26 = data21.error;
                  if (data26 && typeof data26 == "object" && !Array.isArray(data26)) {
                    if (data26.code === void 0 || !func0.call(data26, "code")) {
                      const err68 = { instancePath: instancePath + "/data/attempts/" + i0 + "/error", schemaPath: "#/properties/data/properties/attempts/items/properties/error/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
                      if (vErrors === null) {
                        vErrors = [err68];
                      } else {
                        vErrors.push(err68);
                      }
                      errors++;
                    }
                    if (data26.message === void 0 || !func0.call(data26, "message")) {
                      const err69 = { instancePath: instancePath + "/data/attempts/" + i0 + "/error", schemaPath: "#/properties/data/properties/attempts/items/properties/error/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
                      if (vErrors === null) {
                        vErrors = [err69];
                      } else {
                        vErrors.push(err69);
                      }
                      errors++;
                    }
                    for (const key5 of Object.keys(data26)) {
                      if (!(key5 === "code" || key5 === "message")) {
                        const err70 = { instancePath: instancePath + "/data/attempts/" + i0 + "/error", schemaPath: "#/properties/data/properties/attempts/items/properties/error/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key5 }, message: "must NOT have additional properties" };
                        if (vErrors === null) {
                          vErrors = [err70];
                        } else {
                          vErrors.push(err70);
                        }
                        errors++;
                      }
                    }
                    if (data26.code !== void 0 && func0.call(data26, "code")) {
                      let data27 = data26.code;
                      if (typeof data27 !== "string") {
                        const err71 = { instancePath: instancePath + "/data/attempts/" + i0 + "/error/code", schemaPath: "#/properties/data/properties/attempts/items/properties/error/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        if (vErrors === null) {
                          vErrors = [err71];
                        } else {
                          vErrors.push(err71);
                        }
                        errors++;
                      }
                      if (!(data27 === "not_on_channel" || data27 === "rejected_by_channel" || data27 === "channel_unavailable" || data27 === "not_delivered" || data27 === "superseded" || data27 === "opted_out" || data27 === "unreachable" || data27 === "country_blocked" || data27 === "send_limit_reached" || data27 === "budget_spent")) {
                        const err72 = { instancePath: instancePath + "/data/attempts/" + i0 + "/error/code", schemaPath: "#/properties/data/properties/attempts/items/properties/error/properties/code/enum", keyword: "enum", params: { allowedValues: schema52.properties.data.properties.attempts.items.properties.error.properties.code.enum }, message: "must be equal to one of the allowed values" };
                        if (vErrors === null) {
                          vErrors = [err72];
                        } else {
                          vErrors.push(err72);
                        }
                        errors++;
                      }
                    }
                    if (data26.message !== void 0 && func0.call(data26, "message")) {
                      if (typeof data26.message !== "string") {
                        const err73 = { instancePath: instancePath + "/data/attempts/" + i0 + "/error/message", schemaPath: "#/properties/data/properties/attempts/items/properties/error/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        if (vErrors === null) {
                          vErrors = [err73];
                        } else {
                          vErrors.push(err73);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err74 = { instancePath: instancePath + "/data/attempts/" + i0 + "/error", schemaPath: "#/properties/data/properties/attempts/items/properties/error/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                    if (vErrors === null) {
                      vErrors = [err74];
                    } else {
                      vErrors.push(err74);
                    }
                    errors++;
                  }
                }
                if (data21.segments !== void 0 && func0.call(data21, "segments")) {
                  let data29 = data21.segments;
                  if (!(typeof data29 == "number" && (!(data29 % 1) && !isNaN(data29)) && isFinite(data29))) {
                    const err75 = { instancePath: instancePath + "/data/attempts/" + i0 + "/segments", schemaPath: "#/properties/data/properties/attempts/items/properties/segments/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                    if (vErrors === null) {
                      vErrors = [err75];
                    } else {
                      vErrors.push(err75);
                    }
                    errors++;
                  }
                  if (typeof data29 == "number" && isFinite(data29)) {
                    if (data29 > 100 || isNaN(data29)) {
                      const err76 = { instancePath: instancePath + "/data/attempts/" + i0 + "/segments", schemaPath: "#/properties/data/properties/attempts/items/properties/segments/maximum", keyword: "maximum", params: { comparison: "<=", limit: 100 }, message: "must be <= 100" };
                      if (vErrors === null) {
                        vErrors = [err76];
                      } else {
                        vErrors.push(err76);
                      }
                      errors++;
                    }
                    if (data29 < 1 || isNaN(data29)) {
                      const err77 = { instancePath: instancePath + "/data/attempts/" + i0 + "/segments", schemaPath: "#/properties/data/properties/attempts/items/properties/segments/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                      if (vErrors === null) {
                        vErrors = [err77];
                      } else {
                        vErrors.push(err77);
                      }
                      errors++;
                    }
                  }
                }
                if (data21.price !== void 0 && func0.call(data21, "price")) {
                  let data30 = data21.price;
                  if (data30 && typeof data30 == "object" && !Array.isArray(data30)) {
                    if (data30.amount === void 0 || !func0.call(data30, "amount")) {
                      const err78 = { instancePath: instancePath + "/data/attempts/" + i0 + "/price", schemaPath: "#/properties/data/properties/attempts/items/properties/price/required", keyword: "required", params: { missingProperty: "amount" }, message: "must have required property 'amount'" };
                      if (vErrors === null) {
                        vErrors = [err78];
                      } else {
                        vErrors.push(err78);
                      }
                      errors++;
                    }
                    if (data30.currency === void 0 || !func0.call(data30, "currency")) {
                      const err79 = { instancePath: instancePath + "/data/attempts/" + i0 + "/price", schemaPath: "#/properties/data/properties/attempts/items/properties/price/required", keyword: "required", params: { missingProperty: "currency" }, message: "must have required property 'currency'" };
                      if (vErrors === null) {
                        vErrors = [err79];
                      } else {
                        vErrors.push(err79);
                      }
                      errors++;
                    }
                    for (const key6 of Object.keys(data30)) {
                      if (!(key6 === "amount" || key6 === "currency")) {
                        const err80 = { instancePath: instancePath + "/data/attempts/" + i0 + "/price", schemaPath: "#/properties/data/properties/attempts/items/properties/price/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key6 }, message: "must NOT have additional properties" };
                        if (vErrors === null) {
                          vErrors = [err80];
                        } else {
                          vErrors.push(err80);
                        }
                        errors++;
                      }
                    }
                    if (data30.amount !== void 0 && func0.call(data30, "amount")) {
                      let data31 = data30.amount;
                      if (typeof data31 === "string") {
                        if (!pattern41.test(data31)) {
                          const err81 = { instancePath: instancePath + "/data/attempts/" + i0 + "/price/amount", schemaPath: "#/properties/data/properties/attempts/items/properties/price/properties/amount/pattern", keyword: "pattern", params: { pattern: "^[0-9]{1,12}(\\.[0-9]{1,20})?$" }, message: 'must match pattern "^[0-9]{1,12}(\\.[0-9]{1,20})?$"' };
                          if (vErrors === null) {
                            vErrors = [err81];
                          } else {
                            vErrors.push(err81);
                          }
                          errors++;
                        }
                      } else {
                        const err82 = { instancePath: instancePath + "/data/attempts/" + i0 + "/price/amount", schemaPath: "#/properties/data/properties/attempts/items/properties/price/properties/amount/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        if (vErrors === null) {
                          vErrors = [err82];
                        } else {
                          vErrors.push(err82);
                        }
                        errors++;
                      }
                    }
                    if (data30.currency !== void 0 && func0.call(data30, "currency")) {
                      let data32 = data30.currency;
                      if (typeof data32 === "string") {
                        if (!pattern42.test(data32)) {
                          const err83 = { instancePath: instancePath + "/data/attempts/" + i0 + "/price/currency", schemaPath: "#/properties/data/properties/attempts/items/properties/price/properties/currency/pattern", keyword: "pattern", params: { pattern: "^[A-Z]{3}$" }, message: 'must match pattern "^[A-Z]{3}$"' };
                          if (vErrors === null) {
                            vErrors = [err83];
                          } else {
                            vErrors.push(err83);
                          }
                          errors++;
                        }
                      } else {
                        const err84 = { instancePath: instancePath + "/data/attempts/" + i0 + "/price/currency", schemaPath: "#/properties/data/properties/attempts/items/properties/price/properties/currency/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        if (vErrors === null) {
                          vErrors = [err84];
                        } else {
                          vErrors.push(err84);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err85 = { instancePath: instancePath + "/data/attempts/" + i0 + "/price", schemaPath: "#/properties/data/properties/attempts/items/properties/price/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                    if (vErrors === null) {
                      vErrors = [err85];
                    } else {
                      vErrors.push(err85);
                    }
                    errors++;
                  }
                }
              } else {
                const err86 = { instancePath: instancePath + "/data/attempts/" + i0, schemaPath: "#/properties/data/properties/attempts/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                if (vErrors === null) {
                  vErrors = [err86];
                } else {
                  vErrors.push(err86);
                }
                errors++;
              }
            }
          } else {
            const err87 = { instancePath: instancePath + "/data/attempts", schemaPath: "#/properties/data/properties/attempts/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            if (vErrors === null) {
              vErrors = [err87];
            } else {
              vErrors.push(err87);
            }
            errors++;
          }
        }
        if (data1.prices !== void 0 && func0.call(data1, "prices")) {
          let data33 = data1.prices;
          if (Array.isArray(data33)) {
            if (data33.length > 100) {
              const err88 = { instancePath: instancePath + "/data/prices", schemaPath: "#/properties/data/properties/prices/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
              if (vErrors === null) {
                vErrors = [err88];
              } else {
                vErrors.push(err88);
              }
              errors++;
            }
            if (data33.length < 1) {
              const err89 = { instancePath: instancePath + "/data/prices", schemaPath: "#/properties/data/properties/prices/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
              if (vErrors === null) {
                vErrors = [err89];
              } else {
                vErrors.push(err89);
              }
              errors++;
            }
            const len1 = data33.length;
            for (let i1 = 0; i1 < len1; i1++) {
              let data34 = data33[i1];
              if (data34 && typeof data34 == "object" && !Array.isArray(data34)) {
                if (data34.amount === void 0 || !func0.call(data34, "amount")) {
                  const err90 = { instancePath: instancePath + "/data/prices/" + i1, schemaPath: "#/properties/data/properties/prices/items/required", keyword: "required", params: { missingProperty: "amount" }, message: "must have required property 'amount'" };
                  if (vErrors === null) {
                    vErrors = [err90];
                  } else {
                    vErrors.push(err90);
                  }
                  errors++;
                }
                if (data34.currency === void 0 || !func0.call(data34, "currency")) {
                  const err91 = { instancePath: instancePath + "/data/prices/" + i1, schemaPath: "#/properties/data/properties/prices/items/required", keyword: "required", params: { missingProperty: "currency" }, message: "must have required property 'currency'" };
                  if (vErrors === null) {
                    vErrors = [err91];
                  } else {
                    vErrors.push(err91);
                  }
                  errors++;
                }
                for (const key7 of Object.keys(data34)) {
                  if (!(key7 === "amount" || key7 === "currency")) {
                    const err92 = { instancePath: instancePath + "/data/prices/" + i1, schemaPath: "#/properties/data/properties/prices/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key7 }, message: "must NOT have additional properties" };
                    if (vErrors === null) {
                      vErrors = [err92];
                    } else {
                      vErrors.push(err92);
                    }
                    errors++;
                  }
                }
                if (data34.amount !== void 0 && func0.call(data34, "amount")) {
                  let data35 = data34.amount;
                  if (typeof data35 === "string") {
                    if (!pattern41.test(data35)) {
                      const err93 = { instancePath: instancePath + "/data/prices/" + i1 + "/amount", schemaPath: "#/properties/data/properties/prices/items/properties/amount/pattern", keyword: "pattern", params: { pattern: "^[0-9]{1,12}(\\.[0-9]{1,20})?$" }, message: 'must match pattern "^[0-9]{1,12}(\\.[0-9]{1,20})?$"' };
                      if (vErrors === null) {
                        vErrors = [err93];
                      } else {
                        vErrors.push(err93);
                      }
                      errors++;
                    }
                  } else {
                    const err94 = { instancePath: instancePath + "/data/prices/" + i1 + "/amount", schemaPath: "#/properties/data/properties/prices/items/properties/amount/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err94];
                    } else {
                      vErrors.push(err94);
                    }
                    errors++;
                  }
                }
                if (data34.currency !== void 0 && func0.call(data34, "currency")) {
                  let data36 = data34.currency;
                  if (typeof data36 === "string") {
                    if (!pattern42.test(data36)) {
                      const err95 = { instancePath: instancePath + "/data/prices/" + i1 + "/currency", schemaPath: "#/properties/data/properties/prices/items/properties/currency/pattern", keyword: "pattern", params: { pattern: "^[A-Z]{3}$" }, message: 'must match pattern "^[A-Z]{3}$"' };
                      if (vErrors === null) {
                        vErrors = [err95];
                      } else {
                        vErrors.push(err95);
                      }
                      errors++;
                    }
                  } else {
                    const err96 = { instancePath: instancePath + "/data/prices/" + i1 + "/currency", schemaPath: "#/properties/data/properties/prices/items/properties/currency/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err96];
                    } else {
                      vErrors.push(err96);
                    }
                    errors++;
                  }
                }
              } else {
                const err97 = { instancePath: instancePath + "/data/prices/" + i1, schemaPath: "#/properties/data/properties/prices/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                if (vErrors === null) {
                  vErrors = [err97];
                } else {
                  vErrors.push(err97);
                }
                errors++;
              }
            }
          } else {
            const err98 = { instancePath: instancePath + "/data/prices", schemaPath: "#/properties/data/properties/prices/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            if (vErrors === null) {
              vErrors = [err98];
            } else {
              vErrors.push(err98);
            }
            errors++;
          }
        }
        if (data1.findings !== void 0 && func0.call(data1, "findings")) {
          let data37 = data1.findings;
          if (Array.isArray(data37)) {
            if (data37.length > 50) {
              const err99 = { instancePath: instancePath + "/data/findings", schemaPath: "#/properties/data/properties/findings/maxItems", keyword: "maxItems", params: { limit: 50 }, message: "must NOT have more than 50 items" };
              if (vErrors === null) {
                vErrors = [err99];
              } else {
                vErrors.push(err99);
              }
              errors++;
            }
            if (data37.length < 1) {
              const err100 = { instancePath: instancePath + "/data/findings", schemaPath: "#/properties/data/properties/findings/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
              if (vErrors === null) {
                vErrors = [err100];
              } else {
                vErrors.push(err100);
              }
              errors++;
            }
            const len2 = data37.length;
            for (let i2 = 0; i2 < len2; i2++) {
              let data38 = data37[i2];
              if (data38 && typeof data38 == "object" && !Array.isArray(data38)) {
                if (data38.rule === void 0 || !func0.call(data38, "rule")) {
                  const err101 = { instancePath: instancePath + "/data/findings/" + i2, schemaPath: "#/properties/data/properties/findings/items/required", keyword: "required", params: { missingProperty: "rule" }, message: "must have required property 'rule'" };
                  if (vErrors === null) {
                    vErrors = [err101];
                  } else {
                    vErrors.push(err101);
                  }
                  errors++;
                }
                if (data38.did === void 0 || !func0.call(data38, "did")) {
                  const err102 = { instancePath: instancePath + "/data/findings/" + i2, schemaPath: "#/properties/data/properties/findings/items/required", keyword: "required", params: { missingProperty: "did" }, message: "must have required property 'did'" };
                  if (vErrors === null) {
                    vErrors = [err102];
                  } else {
                    vErrors.push(err102);
                  }
                  errors++;
                }
                for (const key8 of Object.keys(data38)) {
                  if (!(key8 === "rule" || key8 === "did")) {
                    const err103 = { instancePath: instancePath + "/data/findings/" + i2, schemaPath: "#/properties/data/properties/findings/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key8 }, message: "must NOT have additional properties" };
                    if (vErrors === null) {
                      vErrors = [err103];
                    } else {
                      vErrors.push(err103);
                    }
                    errors++;
                  }
                }
                if (data38.rule !== void 0 && func0.call(data38, "rule")) {
                  let data39 = data38.rule;
                  if (typeof data39 === "string") {
                    if (func76(data39) > 32) {
                      const err104 = { instancePath: instancePath + "/data/findings/" + i2 + "/rule", schemaPath: "#/properties/data/properties/findings/items/properties/rule/maxLength", keyword: "maxLength", params: { limit: 32 }, message: "must NOT have more than 32 characters" };
                      if (vErrors === null) {
                        vErrors = [err104];
                      } else {
                        vErrors.push(err104);
                      }
                      errors++;
                    }
                  } else {
                    const err105 = { instancePath: instancePath + "/data/findings/" + i2 + "/rule", schemaPath: "#/properties/data/properties/findings/items/properties/rule/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err105];
                    } else {
                      vErrors.push(err105);
                    }
                    errors++;
                  }
                }
                if (data38.did !== void 0 && func0.call(data38, "did")) {
                  let data40 = data38.did;
                  if (typeof data40 !== "string") {
                    const err106 = { instancePath: instancePath + "/data/findings/" + i2 + "/did", schemaPath: "#/properties/data/properties/findings/items/properties/did/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err106];
                    } else {
                      vErrors.push(err106);
                    }
                    errors++;
                  }
                  if (!(data40 === "record" || data40 === "challenge" || data40 === "block")) {
                    const err107 = { instancePath: instancePath + "/data/findings/" + i2 + "/did", schemaPath: "#/properties/data/properties/findings/items/properties/did/enum", keyword: "enum", params: { allowedValues: schema52.properties.data.properties.findings.items.properties.did.enum }, message: "must be equal to one of the allowed values" };
                    if (vErrors === null) {
                      vErrors = [err107];
                    } else {
                      vErrors.push(err107);
                    }
                    errors++;
                  }
                }
              } else {
                const err108 = { instancePath: instancePath + "/data/findings/" + i2, schemaPath: "#/properties/data/properties/findings/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                if (vErrors === null) {
                  vErrors = [err108];
                } else {
                  vErrors.push(err108);
                }
                errors++;
              }
            }
          } else {
            const err109 = { instancePath: instancePath + "/data/findings", schemaPath: "#/properties/data/properties/findings/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            if (vErrors === null) {
              vErrors = [err109];
            } else {
              vErrors.push(err109);
            }
            errors++;
          }
        }
      } else {
        const err110 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err110];
        } else {
          vErrors.push(err110);
        }
        errors++;
      }
    }
  } else {
    const err111 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err111];
    } else {
      vErrors.push(err111);
    }
    errors++;
  }
  validate109.errors = vErrors;
  return errors === 0;
}
exports["getMessage.200"] = validate110;
function validate110(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate35(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate109(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate109.errors : vErrors.concat(validate109.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate110.errors = vErrors;
  return errors === 0;
}
exports["getMessage.404.body"] = validate113;
var schema54 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [false] }, "data": { "type": "object", "required": ["code", "message", "trace_id"], "properties": { "code": { "type": "string", "enum": ["message_not_found"] }, "message": { "type": "string" }, "trace_id": { "type": "string", "pattern": "^[0-9a-f]{32}$" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate113(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === false)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema54.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.code === void 0 || !func0.call(data1, "code")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.message === void 0 || !func0.call(data1, "message")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.trace_id === void 0 || !func0.call(data1, "trace_id")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "trace_id" }, message: "must have required property 'trace_id'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "code" || key1 === "message" || key1 === "trace_id")) {
            const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data1.code !== void 0 && func0.call(data1, "code")) {
          let data2 = data1.code;
          if (typeof data2 !== "string") {
            const err9 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
          if (!(data2 === "message_not_found")) {
            const err10 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/enum", keyword: "enum", params: { allowedValues: schema54.properties.data.properties.code.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data1.message !== void 0 && func0.call(data1, "message")) {
          if (typeof data1.message !== "string") {
            const err11 = { instancePath: instancePath + "/data/message", schemaPath: "#/properties/data/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.trace_id !== void 0 && func0.call(data1, "trace_id")) {
          let data4 = data1.trace_id;
          if (typeof data4 === "string") {
            if (!pattern0.test(data4)) {
              const err12 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
          } else {
            const err13 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
      } else {
        const err14 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
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
  validate113.errors = vErrors;
  return errors === 0;
}
exports["getMessage.404"] = validate114;
function validate114(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate35(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate113(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate113.errors : vErrors.concat(validate113.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate114.errors = vErrors;
  return errors === 0;
}
exports["sendNotification.200.body"] = validate117;
var schema56 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [true] }, "data": { "type": "object", "required": ["request_id", "status"], "properties": { "request_id": { "type": "string", "pattern": "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, "status": { "type": "string", "enum": ["queued"] }, "template": { "type": "object", "required": ["slug"], "properties": { "slug": { "type": "string", "maxLength": 64 }, "version": { "type": "integer", "minimum": 1, "maximum": 2147483647 }, "locale": { "type": "string", "maxLength": 35 } }, "additionalProperties": false } }, "additionalProperties": false } }, "additionalProperties": false };
function validate117(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === true)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema56.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.request_id === void 0 || !func0.call(data1, "request_id")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "request_id" }, message: "must have required property 'request_id'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.status === void 0 || !func0.call(data1, "status")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "status" }, message: "must have required property 'status'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "request_id" || key1 === "status" || key1 === "template")) {
            const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err7];
            } else {
              vErrors.push(err7);
            }
            errors++;
          }
        }
        if (data1.request_id !== void 0 && func0.call(data1, "request_id")) {
          let data2 = data1.request_id;
          if (typeof data2 === "string") {
            if (!pattern1.test(data2)) {
              const err8 = { instancePath: instancePath + "/data/request_id", schemaPath: "#/properties/data/properties/request_id/pattern", keyword: "pattern", params: { pattern: "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, message: 'must match pattern "^req_[0-9A-HJKMNP-TV-Z]{26}$"' };
              if (vErrors === null) {
                vErrors = [err8];
              } else {
                vErrors.push(err8);
              }
              errors++;
            }
          } else {
            const err9 = { instancePath: instancePath + "/data/request_id", schemaPath: "#/properties/data/properties/request_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
        }
        if (data1.status !== void 0 && func0.call(data1, "status")) {
          let data3 = data1.status;
          if (typeof data3 !== "string") {
            const err10 = { instancePath: instancePath + "/data/status", schemaPath: "#/properties/data/properties/status/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
          if (!(data3 === "queued")) {
            const err11 = { instancePath: instancePath + "/data/status", schemaPath: "#/properties/data/properties/status/enum", keyword: "enum", params: { allowedValues: schema56.properties.data.properties.status.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.template !== void 0 && func0.call(data1, "template")) {
          let data4 = data1.template;
          if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
            if (data4.slug === void 0 || !func0.call(data4, "slug")) {
              const err12 = { instancePath: instancePath + "/data/template", schemaPath: "#/properties/data/properties/template/required", keyword: "required", params: { missingProperty: "slug" }, message: "must have required property 'slug'" };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
            for (const key2 of Object.keys(data4)) {
              if (!(key2 === "slug" || key2 === "version" || key2 === "locale")) {
                const err13 = { instancePath: instancePath + "/data/template", schemaPath: "#/properties/data/properties/template/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
                if (vErrors === null) {
                  vErrors = [err13];
                } else {
                  vErrors.push(err13);
                }
                errors++;
              }
            }
            if (data4.slug !== void 0 && func0.call(data4, "slug")) {
              let data5 = data4.slug;
              if (typeof data5 === "string") {
                if (func76(data5) > 64) {
                  const err14 = { instancePath: instancePath + "/data/template/slug", schemaPath: "#/properties/data/properties/template/properties/slug/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                  if (vErrors === null) {
                    vErrors = [err14];
                  } else {
                    vErrors.push(err14);
                  }
                  errors++;
                }
              } else {
                const err15 = { instancePath: instancePath + "/data/template/slug", schemaPath: "#/properties/data/properties/template/properties/slug/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err15];
                } else {
                  vErrors.push(err15);
                }
                errors++;
              }
            }
            if (data4.version !== void 0 && func0.call(data4, "version")) {
              let data6 = data4.version;
              if (!(typeof data6 == "number" && (!(data6 % 1) && !isNaN(data6)) && isFinite(data6))) {
                const err16 = { instancePath: instancePath + "/data/template/version", schemaPath: "#/properties/data/properties/template/properties/version/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                if (vErrors === null) {
                  vErrors = [err16];
                } else {
                  vErrors.push(err16);
                }
                errors++;
              }
              if (typeof data6 == "number" && isFinite(data6)) {
                if (data6 > 2147483647 || isNaN(data6)) {
                  const err17 = { instancePath: instancePath + "/data/template/version", schemaPath: "#/properties/data/properties/template/properties/version/maximum", keyword: "maximum", params: { comparison: "<=", limit: 2147483647 }, message: "must be <= 2147483647" };
                  if (vErrors === null) {
                    vErrors = [err17];
                  } else {
                    vErrors.push(err17);
                  }
                  errors++;
                }
                if (data6 < 1 || isNaN(data6)) {
                  const err18 = { instancePath: instancePath + "/data/template/version", schemaPath: "#/properties/data/properties/template/properties/version/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  if (vErrors === null) {
                    vErrors = [err18];
                  } else {
                    vErrors.push(err18);
                  }
                  errors++;
                }
              }
            }
            if (data4.locale !== void 0 && func0.call(data4, "locale")) {
              let data7 = data4.locale;
              if (typeof data7 === "string") {
                if (func76(data7) > 35) {
                  const err19 = { instancePath: instancePath + "/data/template/locale", schemaPath: "#/properties/data/properties/template/properties/locale/maxLength", keyword: "maxLength", params: { limit: 35 }, message: "must NOT have more than 35 characters" };
                  if (vErrors === null) {
                    vErrors = [err19];
                  } else {
                    vErrors.push(err19);
                  }
                  errors++;
                }
              } else {
                const err20 = { instancePath: instancePath + "/data/template/locale", schemaPath: "#/properties/data/properties/template/properties/locale/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err20];
                } else {
                  vErrors.push(err20);
                }
                errors++;
              }
            }
          } else {
            const err21 = { instancePath: instancePath + "/data/template", schemaPath: "#/properties/data/properties/template/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            if (vErrors === null) {
              vErrors = [err21];
            } else {
              vErrors.push(err21);
            }
            errors++;
          }
        }
      } else {
        const err22 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err22];
        } else {
          vErrors.push(err22);
        }
        errors++;
      }
    }
  } else {
    const err23 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err23];
    } else {
      vErrors.push(err23);
    }
    errors++;
  }
  validate117.errors = vErrors;
  return errors === 0;
}
exports["sendNotification.200"] = validate118;
function validate118(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate21(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate117(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate117.errors : vErrors.concat(validate117.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate118.errors = vErrors;
  return errors === 0;
}
exports["sendNotification.400.body"] = validate121;
var schema58 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [false] }, "data": { "type": "object", "required": ["code", "message", "trace_id"], "properties": { "code": { "type": "string", "enum": ["invalid_json", "invalid_request", "invalid_phone", "unknown_template", "invalid_variables"] }, "message": { "type": "string" }, "details": { "type": "array", "minItems": 1, "maxItems": 20, "items": { "type": "object", "required": ["field", "code", "message"], "properties": { "field": { "type": "string", "maxLength": 100 }, "code": { "type": "string", "enum": ["missing", "unknown", "wrong_type", "wrong_format", "too_short", "too_long", "too_small", "too_large", "too_many", "repeated", "excluded", "blocked", "challenged", "spent"] }, "message": { "type": "string" } }, "additionalProperties": false } }, "trace_id": { "type": "string", "pattern": "^[0-9a-f]{32}$" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate121(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === false)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema58.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.code === void 0 || !func0.call(data1, "code")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.message === void 0 || !func0.call(data1, "message")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.trace_id === void 0 || !func0.call(data1, "trace_id")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "trace_id" }, message: "must have required property 'trace_id'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "code" || key1 === "message" || key1 === "details" || key1 === "trace_id")) {
            const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data1.code !== void 0 && func0.call(data1, "code")) {
          let data2 = data1.code;
          if (typeof data2 !== "string") {
            const err9 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
          if (!(data2 === "invalid_json" || data2 === "invalid_request" || data2 === "invalid_phone" || data2 === "unknown_template" || data2 === "invalid_variables")) {
            const err10 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/enum", keyword: "enum", params: { allowedValues: schema58.properties.data.properties.code.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data1.message !== void 0 && func0.call(data1, "message")) {
          if (typeof data1.message !== "string") {
            const err11 = { instancePath: instancePath + "/data/message", schemaPath: "#/properties/data/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.details !== void 0 && func0.call(data1, "details")) {
          let data4 = data1.details;
          if (Array.isArray(data4)) {
            if (data4.length > 20) {
              const err12 = { instancePath: instancePath + "/data/details", schemaPath: "#/properties/data/properties/details/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
            if (data4.length < 1) {
              const err13 = { instancePath: instancePath + "/data/details", schemaPath: "#/properties/data/properties/details/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
              if (vErrors === null) {
                vErrors = [err13];
              } else {
                vErrors.push(err13);
              }
              errors++;
            }
            const len0 = data4.length;
            for (let i0 = 0; i0 < len0; i0++) {
              let data5 = data4[i0];
              if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
                if (data5.field === void 0 || !func0.call(data5, "field")) {
                  const err14 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/required", keyword: "required", params: { missingProperty: "field" }, message: "must have required property 'field'" };
                  if (vErrors === null) {
                    vErrors = [err14];
                  } else {
                    vErrors.push(err14);
                  }
                  errors++;
                }
                if (data5.code === void 0 || !func0.call(data5, "code")) {
                  const err15 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
                  if (vErrors === null) {
                    vErrors = [err15];
                  } else {
                    vErrors.push(err15);
                  }
                  errors++;
                }
                if (data5.message === void 0 || !func0.call(data5, "message")) {
                  const err16 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
                  if (vErrors === null) {
                    vErrors = [err16];
                  } else {
                    vErrors.push(err16);
                  }
                  errors++;
                }
                for (const key2 of Object.keys(data5)) {
                  if (!(key2 === "field" || key2 === "code" || key2 === "message")) {
                    const err17 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
                    if (vErrors === null) {
                      vErrors = [err17];
                    } else {
                      vErrors.push(err17);
                    }
                    errors++;
                  }
                }
                if (data5.field !== void 0 && func0.call(data5, "field")) {
                  let data6 = data5.field;
                  if (typeof data6 === "string") {
                    if (func76(data6) > 100) {
                      const err18 = { instancePath: instancePath + "/data/details/" + i0 + "/field", schemaPath: "#/properties/data/properties/details/items/properties/field/maxLength", keyword: "maxLength", params: { limit: 100 }, message: "must NOT have more than 100 characters" };
                      if (vErrors === null) {
                        vErrors = [err18];
                      } else {
                        vErrors.push(err18);
                      }
                      errors++;
                    }
                  } else {
                    const err19 = { instancePath: instancePath + "/data/details/" + i0 + "/field", schemaPath: "#/properties/data/properties/details/items/properties/field/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err19];
                    } else {
                      vErrors.push(err19);
                    }
                    errors++;
                  }
                }
                if (data5.code !== void 0 && func0.call(data5, "code")) {
                  let data7 = data5.code;
                  if (typeof data7 !== "string") {
                    const err20 = { instancePath: instancePath + "/data/details/" + i0 + "/code", schemaPath: "#/properties/data/properties/details/items/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err20];
                    } else {
                      vErrors.push(err20);
                    }
                    errors++;
                  }
                  if (!(data7 === "missing" || data7 === "unknown" || data7 === "wrong_type" || data7 === "wrong_format" || data7 === "too_short" || data7 === "too_long" || data7 === "too_small" || data7 === "too_large" || data7 === "too_many" || data7 === "repeated" || data7 === "excluded" || data7 === "blocked" || data7 === "challenged" || data7 === "spent")) {
                    const err21 = { instancePath: instancePath + "/data/details/" + i0 + "/code", schemaPath: "#/properties/data/properties/details/items/properties/code/enum", keyword: "enum", params: { allowedValues: schema58.properties.data.properties.details.items.properties.code.enum }, message: "must be equal to one of the allowed values" };
                    if (vErrors === null) {
                      vErrors = [err21];
                    } else {
                      vErrors.push(err21);
                    }
                    errors++;
                  }
                }
                if (data5.message !== void 0 && func0.call(data5, "message")) {
                  if (typeof data5.message !== "string") {
                    const err22 = { instancePath: instancePath + "/data/details/" + i0 + "/message", schemaPath: "#/properties/data/properties/details/items/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err22];
                    } else {
                      vErrors.push(err22);
                    }
                    errors++;
                  }
                }
              } else {
                const err23 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                if (vErrors === null) {
                  vErrors = [err23];
                } else {
                  vErrors.push(err23);
                }
                errors++;
              }
            }
          } else {
            const err24 = { instancePath: instancePath + "/data/details", schemaPath: "#/properties/data/properties/details/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            if (vErrors === null) {
              vErrors = [err24];
            } else {
              vErrors.push(err24);
            }
            errors++;
          }
        }
        if (data1.trace_id !== void 0 && func0.call(data1, "trace_id")) {
          let data9 = data1.trace_id;
          if (typeof data9 === "string") {
            if (!pattern0.test(data9)) {
              const err25 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
              if (vErrors === null) {
                vErrors = [err25];
              } else {
                vErrors.push(err25);
              }
              errors++;
            }
          } else {
            const err26 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err26];
            } else {
              vErrors.push(err26);
            }
            errors++;
          }
        }
      } else {
        const err27 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err27];
        } else {
          vErrors.push(err27);
        }
        errors++;
      }
    }
  } else {
    const err28 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err28];
    } else {
      vErrors.push(err28);
    }
    errors++;
  }
  validate121.errors = vErrors;
  return errors === 0;
}
exports["sendNotification.400"] = validate122;
function validate122(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate21(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate121(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate121.errors : vErrors.concat(validate121.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate122.errors = vErrors;
  return errors === 0;
}
exports["sendNotification.403.body"] = validate125;
var schema60 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [false] }, "data": { "type": "object", "required": ["code", "message", "trace_id"], "properties": { "code": { "type": "string", "enum": ["insufficient_scope", "country_not_allowed", "no_channel", "budget_spent", "opted_out"] }, "message": { "type": "string" }, "details": { "type": "array", "minItems": 1, "maxItems": 20, "items": { "type": "object", "required": ["field", "code", "message"], "properties": { "field": { "type": "string", "maxLength": 100 }, "code": { "type": "string", "enum": ["missing", "unknown", "wrong_type", "wrong_format", "too_short", "too_long", "too_small", "too_large", "too_many", "repeated", "excluded", "blocked", "challenged", "spent"] }, "message": { "type": "string" } }, "additionalProperties": false } }, "trace_id": { "type": "string", "pattern": "^[0-9a-f]{32}$" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate125(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === false)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema60.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.code === void 0 || !func0.call(data1, "code")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.message === void 0 || !func0.call(data1, "message")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.trace_id === void 0 || !func0.call(data1, "trace_id")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "trace_id" }, message: "must have required property 'trace_id'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "code" || key1 === "message" || key1 === "details" || key1 === "trace_id")) {
            const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data1.code !== void 0 && func0.call(data1, "code")) {
          let data2 = data1.code;
          if (typeof data2 !== "string") {
            const err9 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
          if (!(data2 === "insufficient_scope" || data2 === "country_not_allowed" || data2 === "no_channel" || data2 === "budget_spent" || data2 === "opted_out")) {
            const err10 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/enum", keyword: "enum", params: { allowedValues: schema60.properties.data.properties.code.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data1.message !== void 0 && func0.call(data1, "message")) {
          if (typeof data1.message !== "string") {
            const err11 = { instancePath: instancePath + "/data/message", schemaPath: "#/properties/data/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.details !== void 0 && func0.call(data1, "details")) {
          let data4 = data1.details;
          if (Array.isArray(data4)) {
            if (data4.length > 20) {
              const err12 = { instancePath: instancePath + "/data/details", schemaPath: "#/properties/data/properties/details/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
            if (data4.length < 1) {
              const err13 = { instancePath: instancePath + "/data/details", schemaPath: "#/properties/data/properties/details/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
              if (vErrors === null) {
                vErrors = [err13];
              } else {
                vErrors.push(err13);
              }
              errors++;
            }
            const len0 = data4.length;
            for (let i0 = 0; i0 < len0; i0++) {
              let data5 = data4[i0];
              if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
                if (data5.field === void 0 || !func0.call(data5, "field")) {
                  const err14 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/required", keyword: "required", params: { missingProperty: "field" }, message: "must have required property 'field'" };
                  if (vErrors === null) {
                    vErrors = [err14];
                  } else {
                    vErrors.push(err14);
                  }
                  errors++;
                }
                if (data5.code === void 0 || !func0.call(data5, "code")) {
                  const err15 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
                  if (vErrors === null) {
                    vErrors = [err15];
                  } else {
                    vErrors.push(err15);
                  }
                  errors++;
                }
                if (data5.message === void 0 || !func0.call(data5, "message")) {
                  const err16 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
                  if (vErrors === null) {
                    vErrors = [err16];
                  } else {
                    vErrors.push(err16);
                  }
                  errors++;
                }
                for (const key2 of Object.keys(data5)) {
                  if (!(key2 === "field" || key2 === "code" || key2 === "message")) {
                    const err17 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
                    if (vErrors === null) {
                      vErrors = [err17];
                    } else {
                      vErrors.push(err17);
                    }
                    errors++;
                  }
                }
                if (data5.field !== void 0 && func0.call(data5, "field")) {
                  let data6 = data5.field;
                  if (typeof data6 === "string") {
                    if (func76(data6) > 100) {
                      const err18 = { instancePath: instancePath + "/data/details/" + i0 + "/field", schemaPath: "#/properties/data/properties/details/items/properties/field/maxLength", keyword: "maxLength", params: { limit: 100 }, message: "must NOT have more than 100 characters" };
                      if (vErrors === null) {
                        vErrors = [err18];
                      } else {
                        vErrors.push(err18);
                      }
                      errors++;
                    }
                  } else {
                    const err19 = { instancePath: instancePath + "/data/details/" + i0 + "/field", schemaPath: "#/properties/data/properties/details/items/properties/field/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err19];
                    } else {
                      vErrors.push(err19);
                    }
                    errors++;
                  }
                }
                if (data5.code !== void 0 && func0.call(data5, "code")) {
                  let data7 = data5.code;
                  if (typeof data7 !== "string") {
                    const err20 = { instancePath: instancePath + "/data/details/" + i0 + "/code", schemaPath: "#/properties/data/properties/details/items/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err20];
                    } else {
                      vErrors.push(err20);
                    }
                    errors++;
                  }
                  if (!(data7 === "missing" || data7 === "unknown" || data7 === "wrong_type" || data7 === "wrong_format" || data7 === "too_short" || data7 === "too_long" || data7 === "too_small" || data7 === "too_large" || data7 === "too_many" || data7 === "repeated" || data7 === "excluded" || data7 === "blocked" || data7 === "challenged" || data7 === "spent")) {
                    const err21 = { instancePath: instancePath + "/data/details/" + i0 + "/code", schemaPath: "#/properties/data/properties/details/items/properties/code/enum", keyword: "enum", params: { allowedValues: schema60.properties.data.properties.details.items.properties.code.enum }, message: "must be equal to one of the allowed values" };
                    if (vErrors === null) {
                      vErrors = [err21];
                    } else {
                      vErrors.push(err21);
                    }
                    errors++;
                  }
                }
                if (data5.message !== void 0 && func0.call(data5, "message")) {
                  if (typeof data5.message !== "string") {
                    const err22 = { instancePath: instancePath + "/data/details/" + i0 + "/message", schemaPath: "#/properties/data/properties/details/items/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err22];
                    } else {
                      vErrors.push(err22);
                    }
                    errors++;
                  }
                }
              } else {
                const err23 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                if (vErrors === null) {
                  vErrors = [err23];
                } else {
                  vErrors.push(err23);
                }
                errors++;
              }
            }
          } else {
            const err24 = { instancePath: instancePath + "/data/details", schemaPath: "#/properties/data/properties/details/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            if (vErrors === null) {
              vErrors = [err24];
            } else {
              vErrors.push(err24);
            }
            errors++;
          }
        }
        if (data1.trace_id !== void 0 && func0.call(data1, "trace_id")) {
          let data9 = data1.trace_id;
          if (typeof data9 === "string") {
            if (!pattern0.test(data9)) {
              const err25 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
              if (vErrors === null) {
                vErrors = [err25];
              } else {
                vErrors.push(err25);
              }
              errors++;
            }
          } else {
            const err26 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err26];
            } else {
              vErrors.push(err26);
            }
            errors++;
          }
        }
      } else {
        const err27 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err27];
        } else {
          vErrors.push(err27);
        }
        errors++;
      }
    }
  } else {
    const err28 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err28];
    } else {
      vErrors.push(err28);
    }
    errors++;
  }
  validate125.errors = vErrors;
  return errors === 0;
}
exports["sendNotification.403"] = validate126;
function validate126(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate35(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate125(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate125.errors : vErrors.concat(validate125.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate126.errors = vErrors;
  return errors === 0;
}
exports["sendNotification.429.body"] = validate129;
var schema62 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [false] }, "data": { "type": "object", "required": ["code", "message", "retry_after", "trace_id"], "properties": { "code": { "type": "string", "enum": ["send_limit_reached", "rate_limited"] }, "message": { "type": "string" }, "retry_after": { "type": "integer", "minimum": 1 }, "trace_id": { "type": "string", "pattern": "^[0-9a-f]{32}$" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate129(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === false)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema62.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.code === void 0 || !func0.call(data1, "code")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.message === void 0 || !func0.call(data1, "message")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.retry_after === void 0 || !func0.call(data1, "retry_after")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "retry_after" }, message: "must have required property 'retry_after'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        if (data1.trace_id === void 0 || !func0.call(data1, "trace_id")) {
          const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "trace_id" }, message: "must have required property 'trace_id'" };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "code" || key1 === "message" || key1 === "retry_after" || key1 === "trace_id")) {
            const err9 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
        }
        if (data1.code !== void 0 && func0.call(data1, "code")) {
          let data2 = data1.code;
          if (typeof data2 !== "string") {
            const err10 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
          if (!(data2 === "send_limit_reached" || data2 === "rate_limited")) {
            const err11 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/enum", keyword: "enum", params: { allowedValues: schema62.properties.data.properties.code.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.message !== void 0 && func0.call(data1, "message")) {
          if (typeof data1.message !== "string") {
            const err12 = { instancePath: instancePath + "/data/message", schemaPath: "#/properties/data/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err12];
            } else {
              vErrors.push(err12);
            }
            errors++;
          }
        }
        if (data1.retry_after !== void 0 && func0.call(data1, "retry_after")) {
          let data4 = data1.retry_after;
          if (!(typeof data4 == "number" && (!(data4 % 1) && !isNaN(data4)) && isFinite(data4))) {
            const err13 = { instancePath: instancePath + "/data/retry_after", schemaPath: "#/properties/data/properties/retry_after/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
          if (typeof data4 == "number" && isFinite(data4)) {
            if (data4 < 1 || isNaN(data4)) {
              const err14 = { instancePath: instancePath + "/data/retry_after", schemaPath: "#/properties/data/properties/retry_after/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              if (vErrors === null) {
                vErrors = [err14];
              } else {
                vErrors.push(err14);
              }
              errors++;
            }
          }
        }
        if (data1.trace_id !== void 0 && func0.call(data1, "trace_id")) {
          let data5 = data1.trace_id;
          if (typeof data5 === "string") {
            if (!pattern0.test(data5)) {
              const err15 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
              if (vErrors === null) {
                vErrors = [err15];
              } else {
                vErrors.push(err15);
              }
              errors++;
            }
          } else {
            const err16 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err16];
            } else {
              vErrors.push(err16);
            }
            errors++;
          }
        }
      } else {
        const err17 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
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
  validate129.errors = vErrors;
  return errors === 0;
}
exports["sendNotification.429"] = validate130;
function validate130(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate52(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate52.errors : vErrors.concat(validate52.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate129(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate129.errors : vErrors.concat(validate129.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate130.errors = vErrors;
  return errors === 0;
}
exports["cancelNotification.200.body"] = validate133;
var schema64 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [true] }, "data": { "type": "object", "required": ["request_id", "cancelled", "status"], "properties": { "request_id": { "type": "string", "pattern": "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, "cancelled": { "type": "boolean" }, "status": { "type": "string", "enum": ["queued", "sent", "delivered", "read", "failed", "expired"] } }, "additionalProperties": false } }, "additionalProperties": false };
function validate133(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === true)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema64.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.request_id === void 0 || !func0.call(data1, "request_id")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "request_id" }, message: "must have required property 'request_id'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.cancelled === void 0 || !func0.call(data1, "cancelled")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "cancelled" }, message: "must have required property 'cancelled'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.status === void 0 || !func0.call(data1, "status")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "status" }, message: "must have required property 'status'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "request_id" || key1 === "cancelled" || key1 === "status")) {
            const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data1.request_id !== void 0 && func0.call(data1, "request_id")) {
          let data2 = data1.request_id;
          if (typeof data2 === "string") {
            if (!pattern1.test(data2)) {
              const err9 = { instancePath: instancePath + "/data/request_id", schemaPath: "#/properties/data/properties/request_id/pattern", keyword: "pattern", params: { pattern: "^req_[0-9A-HJKMNP-TV-Z]{26}$" }, message: 'must match pattern "^req_[0-9A-HJKMNP-TV-Z]{26}$"' };
              if (vErrors === null) {
                vErrors = [err9];
              } else {
                vErrors.push(err9);
              }
              errors++;
            }
          } else {
            const err10 = { instancePath: instancePath + "/data/request_id", schemaPath: "#/properties/data/properties/request_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data1.cancelled !== void 0 && func0.call(data1, "cancelled")) {
          if (typeof data1.cancelled !== "boolean") {
            const err11 = { instancePath: instancePath + "/data/cancelled", schemaPath: "#/properties/data/properties/cancelled/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.status !== void 0 && func0.call(data1, "status")) {
          let data4 = data1.status;
          if (typeof data4 !== "string") {
            const err12 = { instancePath: instancePath + "/data/status", schemaPath: "#/properties/data/properties/status/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err12];
            } else {
              vErrors.push(err12);
            }
            errors++;
          }
          if (!(data4 === "queued" || data4 === "sent" || data4 === "delivered" || data4 === "read" || data4 === "failed" || data4 === "expired")) {
            const err13 = { instancePath: instancePath + "/data/status", schemaPath: "#/properties/data/properties/status/enum", keyword: "enum", params: { allowedValues: schema64.properties.data.properties.status.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
      } else {
        const err14 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
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
  validate133.errors = vErrors;
  return errors === 0;
}
exports["cancelNotification.200"] = validate134;
function validate134(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate21(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate133(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate133.errors : vErrors.concat(validate133.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate134.errors = vErrors;
  return errors === 0;
}
exports["cancelNotification.404"] = validate137;
function validate137(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate21(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate113(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate113.errors : vErrors.concat(validate113.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate137.errors = vErrors;
  return errors === 0;
}
exports["previewNotification.200.body"] = validate140;
var schema67 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [true] }, "data": { "type": "object", "required": ["template", "refusals", "channels"], "properties": { "template": { "type": "object", "required": ["slug"], "properties": { "slug": { "type": "string", "maxLength": 64 }, "version": { "type": "integer", "minimum": 1, "maximum": 2147483647 }, "locale": { "type": "string", "maxLength": 35 } }, "additionalProperties": false }, "refusals": { "type": "array", "maxItems": 10, "items": { "type": "object", "required": ["code", "message"], "properties": { "code": { "type": "string", "enum": ["invalid_json", "invalid_request", "invalid_phone", "unknown_template", "invalid_variables", "missing_api_key", "invalid_api_key", "revoked_api_key", "expired_api_key", "insufficient_scope", "country_not_allowed", "no_channel", "send_blocked", "challenge_required", "budget_spent", "opted_out", "message_not_found", "verification_not_found", "template_not_found", "route_not_found", "method_not_allowed", "idempotency_key_reused", "idempotency_in_progress", "body_too_large", "unsupported_media_type", "resend_cooldown", "send_limit_reached", "check_limit_reached", "rate_limited", "internal_error", "service_unavailable"] }, "message": { "type": "string" }, "details": { "type": "array", "minItems": 1, "maxItems": 20, "items": { "type": "object", "required": ["field", "code", "message"], "properties": { "field": { "type": "string", "maxLength": 100 }, "code": { "type": "string", "enum": ["missing", "unknown", "wrong_type", "wrong_format", "too_short", "too_long", "too_small", "too_large", "too_many", "repeated", "excluded", "blocked", "challenged", "spent"] }, "message": { "type": "string" } }, "additionalProperties": false } }, "retry_after": { "type": "integer", "minimum": 1 } }, "additionalProperties": false } }, "channels": { "type": "array", "maxItems": 20, "items": { "type": "object", "required": ["channel", "kind", "carries"], "properties": { "channel": { "type": "string", "pattern": "^[a-z][a-z0-9-]{0,31}$" }, "kind": { "type": "string", "enum": ["whatsapp", "telegram", "sms", "http", "sandbox"] }, "carries": { "type": "boolean" }, "reason": { "type": "string", "maxLength": 200 }, "text": { "type": "string", "maxLength": 4096 }, "encoding": { "type": "string", "enum": ["gsm7", "ucs2"] }, "segments": { "type": "integer", "minimum": 1, "maximum": 100 }, "whatsapp": { "type": "object", "required": ["name", "language", "places"], "properties": { "name": { "type": "string", "maxLength": 512 }, "language": { "type": "string", "maxLength": 20 }, "places": { "type": "array", "maxItems": 61, "items": { "type": "object", "required": ["part", "value"], "properties": { "part": { "type": "string", "enum": ["header", "body", "button"] }, "name": { "type": "string", "maxLength": 64 }, "value": { "type": "string", "maxLength": 65536 } }, "additionalProperties": false } } }, "additionalProperties": false } }, "additionalProperties": false } } }, "additionalProperties": false } }, "additionalProperties": false };
function validate140(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === true)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema67.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.template === void 0 || !func0.call(data1, "template")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "template" }, message: "must have required property 'template'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.refusals === void 0 || !func0.call(data1, "refusals")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "refusals" }, message: "must have required property 'refusals'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.channels === void 0 || !func0.call(data1, "channels")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "channels" }, message: "must have required property 'channels'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "template" || key1 === "refusals" || key1 === "channels")) {
            const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data1.template !== void 0 && func0.call(data1, "template")) {
          let data2 = data1.template;
          if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
            if (data2.slug === void 0 || !func0.call(data2, "slug")) {
              const err9 = { instancePath: instancePath + "/data/template", schemaPath: "#/properties/data/properties/template/required", keyword: "required", params: { missingProperty: "slug" }, message: "must have required property 'slug'" };
              if (vErrors === null) {
                vErrors = [err9];
              } else {
                vErrors.push(err9);
              }
              errors++;
            }
            for (const key2 of Object.keys(data2)) {
              if (!(key2 === "slug" || key2 === "version" || key2 === "locale")) {
                const err10 = { instancePath: instancePath + "/data/template", schemaPath: "#/properties/data/properties/template/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
                if (vErrors === null) {
                  vErrors = [err10];
                } else {
                  vErrors.push(err10);
                }
                errors++;
              }
            }
            if (data2.slug !== void 0 && func0.call(data2, "slug")) {
              let data3 = data2.slug;
              if (typeof data3 === "string") {
                if (func76(data3) > 64) {
                  const err11 = { instancePath: instancePath + "/data/template/slug", schemaPath: "#/properties/data/properties/template/properties/slug/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                  if (vErrors === null) {
                    vErrors = [err11];
                  } else {
                    vErrors.push(err11);
                  }
                  errors++;
                }
              } else {
                const err12 = { instancePath: instancePath + "/data/template/slug", schemaPath: "#/properties/data/properties/template/properties/slug/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err12];
                } else {
                  vErrors.push(err12);
                }
                errors++;
              }
            }
            if (data2.version !== void 0 && func0.call(data2, "version")) {
              let data4 = data2.version;
              if (!(typeof data4 == "number" && (!(data4 % 1) && !isNaN(data4)) && isFinite(data4))) {
                const err13 = { instancePath: instancePath + "/data/template/version", schemaPath: "#/properties/data/properties/template/properties/version/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                if (vErrors === null) {
                  vErrors = [err13];
                } else {
                  vErrors.push(err13);
                }
                errors++;
              }
              if (typeof data4 == "number" && isFinite(data4)) {
                if (data4 > 2147483647 || isNaN(data4)) {
                  const err14 = { instancePath: instancePath + "/data/template/version", schemaPath: "#/properties/data/properties/template/properties/version/maximum", keyword: "maximum", params: { comparison: "<=", limit: 2147483647 }, message: "must be <= 2147483647" };
                  if (vErrors === null) {
                    vErrors = [err14];
                  } else {
                    vErrors.push(err14);
                  }
                  errors++;
                }
                if (data4 < 1 || isNaN(data4)) {
                  const err15 = { instancePath: instancePath + "/data/template/version", schemaPath: "#/properties/data/properties/template/properties/version/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  if (vErrors === null) {
                    vErrors = [err15];
                  } else {
                    vErrors.push(err15);
                  }
                  errors++;
                }
              }
            }
            if (data2.locale !== void 0 && func0.call(data2, "locale")) {
              let data5 = data2.locale;
              if (typeof data5 === "string") {
                if (func76(data5) > 35) {
                  const err16 = { instancePath: instancePath + "/data/template/locale", schemaPath: "#/properties/data/properties/template/properties/locale/maxLength", keyword: "maxLength", params: { limit: 35 }, message: "must NOT have more than 35 characters" };
                  if (vErrors === null) {
                    vErrors = [err16];
                  } else {
                    vErrors.push(err16);
                  }
                  errors++;
                }
              } else {
                const err17 = { instancePath: instancePath + "/data/template/locale", schemaPath: "#/properties/data/properties/template/properties/locale/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err17];
                } else {
                  vErrors.push(err17);
                }
                errors++;
              }
            }
          } else {
            const err18 = { instancePath: instancePath + "/data/template", schemaPath: "#/properties/data/properties/template/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            if (vErrors === null) {
              vErrors = [err18];
            } else {
              vErrors.push(err18);
            }
            errors++;
          }
        }
        if (data1.refusals !== void 0 && func0.call(data1, "refusals")) {
          let data6 = data1.refusals;
          if (Array.isArray(data6)) {
            if (data6.length > 10) {
              const err19 = { instancePath: instancePath + "/data/refusals", schemaPath: "#/properties/data/properties/refusals/maxItems", keyword: "maxItems", params: { limit: 10 }, message: "must NOT have more than 10 items" };
              if (vErrors === null) {
                vErrors = [err19];
              } else {
                vErrors.push(err19);
              }
              errors++;
            }
            const len0 = data6.length;
            for (let i0 = 0; i0 < len0; i0++) {
              let data7 = data6[i0];
              if (data7 && typeof data7 == "object" && !Array.isArray(data7)) {
                if (data7.code === void 0 || !func0.call(data7, "code")) {
                  const err20 = { instancePath: instancePath + "/data/refusals/" + i0, schemaPath: "#/properties/data/properties/refusals/items/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
                  if (vErrors === null) {
                    vErrors = [err20];
                  } else {
                    vErrors.push(err20);
                  }
                  errors++;
                }
                if (data7.message === void 0 || !func0.call(data7, "message")) {
                  const err21 = { instancePath: instancePath + "/data/refusals/" + i0, schemaPath: "#/properties/data/properties/refusals/items/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
                  if (vErrors === null) {
                    vErrors = [err21];
                  } else {
                    vErrors.push(err21);
                  }
                  errors++;
                }
                for (const key3 of Object.keys(data7)) {
                  if (!(key3 === "code" || key3 === "message" || key3 === "details" || key3 === "retry_after")) {
                    const err22 = { instancePath: instancePath + "/data/refusals/" + i0, schemaPath: "#/properties/data/properties/refusals/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 }, message: "must NOT have additional properties" };
                    if (vErrors === null) {
                      vErrors = [err22];
                    } else {
                      vErrors.push(err22);
                    }
                    errors++;
                  }
                }
                if (data7.code !== void 0 && func0.call(data7, "code")) {
                  let data8 = data7.code;
                  if (typeof data8 !== "string") {
                    const err23 = { instancePath: instancePath + "/data/refusals/" + i0 + "/code", schemaPath: "#/properties/data/properties/refusals/items/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err23];
                    } else {
                      vErrors.push(err23);
                    }
                    errors++;
                  }
                  if (!(data8 === "invalid_json" || data8 === "invalid_request" || data8 === "invalid_phone" || data8 === "unknown_template" || data8 === "invalid_variables" || data8 === "missing_api_key" || data8 === "invalid_api_key" || data8 === "revoked_api_key" || data8 === "expired_api_key" || data8 === "insufficient_scope" || data8 === "country_not_allowed" || data8 === "no_channel" || data8 === "send_blocked" || data8 === "challenge_required" || data8 === "budget_spent" || data8 === "opted_out" || data8 === "message_not_found" || data8 === "verification_not_found" || data8 === "template_not_found" || data8 === "route_not_found" || data8 === "method_not_allowed" || data8 === "idempotency_key_reused" || data8 === "idempotency_in_progress" || data8 === "body_too_large" || data8 === "unsupported_media_type" || data8 === "resend_cooldown" || data8 === "send_limit_reached" || data8 === "check_limit_reached" || data8 === "rate_limited" || data8 === "internal_error" || data8 === "service_unavailable")) {
                    const err24 = { instancePath: instancePath + "/data/refusals/" + i0 + "/code", schemaPath: "#/properties/data/properties/refusals/items/properties/code/enum", keyword: "enum", params: { allowedValues: schema67.properties.data.properties.refusals.items.properties.code.enum }, message: "must be equal to one of the allowed values" };
                    if (vErrors === null) {
                      vErrors = [err24];
                    } else {
                      vErrors.push(err24);
                    }
                    errors++;
                  }
                }
                if (data7.message !== void 0 && func0.call(data7, "message")) {
                  if (typeof data7.message !== "string") {
                    const err25 = { instancePath: instancePath + "/data/refusals/" + i0 + "/message", schemaPath: "#/properties/data/properties/refusals/items/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err25];
                    } else {
                      vErrors.push(err25);
                    }
                    errors++;
                  }
                }
                if (data7.details !== void 0 && func0.call(data7, "details")) {
                  let data10 = data7.details;
                  if (Array.isArray(data10)) {
                    if (data10.length > 20) {
                      const err26 = { instancePath: instancePath + "/data/refusals/" + i0 + "/details", schemaPath: "#/properties/data/properties/refusals/items/properties/details/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
                      if (vErrors === null) {
                        vErrors = [err26];
                      } else {
                        vErrors.push(err26);
                      }
                      errors++;
                    }
                    if (data10.length < 1) {
                      const err27 = { instancePath: instancePath + "/data/refusals/" + i0 + "/details", schemaPath: "#/properties/data/properties/refusals/items/properties/details/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
                      if (vErrors === null) {
                        vErrors = [err27];
                      } else {
                        vErrors.push(err27);
                      }
                      errors++;
                    }
                    const len1 = data10.length;
                    for (let i1 = 0; i1 < len1; i1++) {
                      let data11 = data10[i1];
                      if (data11 && typeof data11 == "object" && !Array.isArray(data11)) {
                        if (data11.field === void 0 || !func0.call(data11, "field")) {
                          const err28 = { instancePath: instancePath + "/data/refusals/" + i0 + "/details/" + i1, schemaPath: "#/properties/data/properties/refusals/items/properties/details/items/required", keyword: "required", params: { missingProperty: "field" }, message: "must have required property 'field'" };
                          if (vErrors === null) {
                            vErrors = [err28];
                          } else {
                            vErrors.push(err28);
                          }
                          errors++;
                        }
                        if (data11.code === void 0 || !func0.call(data11, "code")) {
                          const err29 = { instancePath: instancePath + "/data/refusals/" + i0 + "/details/" + i1, schemaPath: "#/properties/data/properties/refusals/items/properties/details/items/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
                          if (vErrors === null) {
                            vErrors = [err29];
                          } else {
                            vErrors.push(err29);
                          }
                          errors++;
                        }
                        if (data11.message === void 0 || !func0.call(data11, "message")) {
                          const err30 = { instancePath: instancePath + "/data/refusals/" + i0 + "/details/" + i1, schemaPath: "#/properties/data/properties/refusals/items/properties/details/items/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
                          if (vErrors === null) {
                            vErrors = [err30];
                          } else {
                            vErrors.push(err30);
                          }
                          errors++;
                        }
                        for (const key4 of Object.keys(data11)) {
                          if (!(key4 === "field" || key4 === "code" || key4 === "message")) {
                            const err31 = { instancePath: instancePath + "/data/refusals/" + i0 + "/details/" + i1, schemaPath: "#/properties/data/properties/refusals/items/properties/details/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key4 }, message: "must NOT have additional properties" };
                            if (vErrors === null) {
                              vErrors = [err31];
                            } else {
                              vErrors.push(err31);
                            }
                            errors++;
                          }
                        }
                        if (data11.field !== void 0 && func0.call(data11, "field")) {
                          let data12 = data11.field;
                          if (typeof data12 === "string") {
                            if (func76(data12) > 100) {
                              const err32 = { instancePath: instancePath + "/data/refusals/" + i0 + "/details/" + i1 + "/field", schemaPath: "#/properties/data/properties/refusals/items/properties/details/items/properties/field/maxLength", keyword: "maxLength", params: { limit: 100 }, message: "must NOT have more than 100 characters" };
                              if (vErrors === null) {
                                vErrors = [err32];
                              } else {
                                vErrors.push(err32);
                              }
                              errors++;
                            }
                          } else {
                            const err33 = { instancePath: instancePath + "/data/refusals/" + i0 + "/details/" + i1 + "/field", schemaPath: "#/properties/data/properties/refusals/items/properties/details/items/properties/field/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err33];
                            } else {
                              vErrors.push(err33);
                            }
                            errors++;
                          }
                        }
                        if (data11.code !== void 0 && func0.call(data11, "code")) {
                          let data13 = data11.code;
                          if (typeof data13 !== "string") {
                            const err34 = { instancePath: instancePath + "/data/refusals/" + i0 + "/details/" + i1 + "/code", schemaPath: "#/properties/data/properties/refusals/items/properties/details/items/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err34];
                            } else {
                              vErrors.push(err34);
                            }
                            errors++;
                          }
                          if (!(data13 === "missing" || data13 === "unknown" || data13 === "wrong_type" || data13 === "wrong_format" || data13 === "too_short" || data13 === "too_long" || data13 === "too_small" || data13 === "too_large" || data13 === "too_many" || data13 === "repeated" || data13 === "excluded" || data13 === "blocked" || data13 === "challenged" || data13 === "spent")) {
                            const err35 = { instancePath: instancePath + "/data/refusals/" + i0 + "/details/" + i1 + "/code", schemaPath: "#/properties/data/properties/refusals/items/properties/details/items/properties/code/enum", keyword: "enum", params: { allowedValues: schema67.properties.data.properties.refusals.items.properties.details.items.properties.code.enum }, message: "must be equal to one of the allowed values" };
                            if (vErrors === null) {
                              vErrors = [err35];
                            } else {
                              vErrors.push(err35);
                            }
                            errors++;
                          }
                        }
                        if (data11.message !== void 0 && func0.call(data11, "message")) {
                          if (typeof data11.message !== "string") {
                            const err36 = { instancePath: instancePath + "/data/refusals/" + i0 + "/details/" + i1 + "/message", schemaPath: "#/properties/data/properties/refusals/items/properties/details/items/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err36];
                            } else {
                              vErrors.push(err36);
                            }
                            errors++;
                          }
                        }
                      } else {
                        const err37 = { instancePath: instancePath + "/data/refusals/" + i0 + "/details/" + i1, schemaPath: "#/properties/data/properties/refusals/items/properties/details/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                        if (vErrors === null) {
                          vErrors = [err37];
                        } else {
                          vErrors.push(err37);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err38 = { instancePath: instancePath + "/data/refusals/" + i0 + "/details", schemaPath: "#/properties/data/properties/refusals/items/properties/details/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                    if (vErrors === null) {
                      vErrors = [err38];
                    } else {
                      vErrors.push(err38);
                    }
                    errors++;
                  }
                }
                if (data7.retry_after !== void 0 && func0.call(data7, "retry_after")) {
                  let data15 = data7.retry_after;
                  if (!(typeof data15 == "number" && (!(data15 % 1) && !isNaN(data15)) && isFinite(data15))) {
                    const err39 = { instancePath: instancePath + "/data/refusals/" + i0 + "/retry_after", schemaPath: "#/properties/data/properties/refusals/items/properties/retry_after/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                    if (vErrors === null) {
                      vErrors = [err39];
                    } else {
                      vErrors.push(err39);
                    }
                    errors++;
                  }
                  if (typeof data15 == "number" && isFinite(data15)) {
                    if (data15 < 1 || isNaN(data15)) {
                      const err40 = { instancePath: instancePath + "/data/refusals/" + i0 + "/retry_after", schemaPath: "#/properties/data/properties/refusals/items/properties/retry_after/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                      if (vErrors === null) {
                        vErrors = [err40];
                      } else {
                        vErrors.push(err40);
                      }
                      errors++;
                    }
                  }
                }
              } else {
                const err41 = { instancePath: instancePath + "/data/refusals/" + i0, schemaPath: "#/properties/data/properties/refusals/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                if (vErrors === null) {
                  vErrors = [err41];
                } else {
                  vErrors.push(err41);
                }
                errors++;
              }
            }
          } else {
            const err42 = { instancePath: instancePath + "/data/refusals", schemaPath: "#/properties/data/properties/refusals/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            if (vErrors === null) {
              vErrors = [err42];
            } else {
              vErrors.push(err42);
            }
            errors++;
          }
        }
        if (data1.channels !== void 0 && func0.call(data1, "channels")) {
          let data16 = data1.channels;
          if (Array.isArray(data16)) {
            if (data16.length > 20) {
              const err43 = { instancePath: instancePath + "/data/channels", schemaPath: "#/properties/data/properties/channels/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
              if (vErrors === null) {
                vErrors = [err43];
              } else {
                vErrors.push(err43);
              }
              errors++;
            }
            const len2 = data16.length;
            for (let i2 = 0; i2 < len2; i2++) {
              let data17 = data16[i2];
              if (data17 && typeof data17 == "object" && !Array.isArray(data17)) {
                if (data17.channel === void 0 || !func0.call(data17, "channel")) {
                  const err44 = { instancePath: instancePath + "/data/channels/" + i2, schemaPath: "#/properties/data/properties/channels/items/required", keyword: "required", params: { missingProperty: "channel" }, message: "must have required property 'channel'" };
                  if (vErrors === null) {
                    vErrors = [err44];
                  } else {
                    vErrors.push(err44);
                  }
                  errors++;
                }
                if (data17.kind === void 0 || !func0.call(data17, "kind")) {
                  const err45 = { instancePath: instancePath + "/data/channels/" + i2, schemaPath: "#/properties/data/properties/channels/items/required", keyword: "required", params: { missingProperty: "kind" }, message: "must have required property 'kind'" };
                  if (vErrors === null) {
                    vErrors = [err45];
                  } else {
                    vErrors.push(err45);
                  }
                  errors++;
                }
                if (data17.carries === void 0 || !func0.call(data17, "carries")) {
                  const err46 = { instancePath: instancePath + "/data/channels/" + i2, schemaPath: "#/properties/data/properties/channels/items/required", keyword: "required", params: { missingProperty: "carries" }, message: "must have required property 'carries'" };
                  if (vErrors === null) {
                    vErrors = [err46];
                  } else {
                    vErrors.push(err46);
                  }
                  errors++;
                }
                for (const key5 of Object.keys(data17)) {
                  if (!(key5 === "channel" || key5 === "kind" || key5 === "carries" || key5 === "reason" || key5 === "text" || key5 === "encoding" || key5 === "segments" || key5 === "whatsapp")) {
                    const err47 = { instancePath: instancePath + "/data/channels/" + i2, schemaPath: "#/properties/data/properties/channels/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key5 }, message: "must NOT have additional properties" };
                    if (vErrors === null) {
                      vErrors = [err47];
                    } else {
                      vErrors.push(err47);
                    }
                    errors++;
                  }
                }
                if (data17.channel !== void 0 && func0.call(data17, "channel")) {
                  let data18 = data17.channel;
                  if (typeof data18 === "string") {
                    if (!pattern31.test(data18)) {
                      const err48 = { instancePath: instancePath + "/data/channels/" + i2 + "/channel", schemaPath: "#/properties/data/properties/channels/items/properties/channel/pattern", keyword: "pattern", params: { pattern: "^[a-z][a-z0-9-]{0,31}$" }, message: 'must match pattern "^[a-z][a-z0-9-]{0,31}$"' };
                      if (vErrors === null) {
                        vErrors = [err48];
                      } else {
                        vErrors.push(err48);
                      }
                      errors++;
                    }
                  } else {
                    const err49 = { instancePath: instancePath + "/data/channels/" + i2 + "/channel", schemaPath: "#/properties/data/properties/channels/items/properties/channel/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err49];
                    } else {
                      vErrors.push(err49);
                    }
                    errors++;
                  }
                }
                if (data17.kind !== void 0 && func0.call(data17, "kind")) {
                  let data19 = data17.kind;
                  if (typeof data19 !== "string") {
                    const err50 = { instancePath: instancePath + "/data/channels/" + i2 + "/kind", schemaPath: "#/properties/data/properties/channels/items/properties/kind/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err50];
                    } else {
                      vErrors.push(err50);
                    }
                    errors++;
                  }
                  if (!(data19 === "whatsapp" || data19 === "telegram" || data19 === "sms" || data19 === "http" || data19 === "sandbox")) {
                    const err51 = { instancePath: instancePath + "/data/channels/" + i2 + "/kind", schemaPath: "#/properties/data/properties/channels/items/properties/kind/enum", keyword: "enum", params: { allowedValues: schema67.properties.data.properties.channels.items.properties.kind.enum }, message: "must be equal to one of the allowed values" };
                    if (vErrors === null) {
                      vErrors = [err51];
                    } else {
                      vErrors.push(err51);
                    }
                    errors++;
                  }
                }
                if (data17.carries !== void 0 && func0.call(data17, "carries")) {
                  if (typeof data17.carries !== "boolean") {
                    const err52 = { instancePath: instancePath + "/data/channels/" + i2 + "/carries", schemaPath: "#/properties/data/properties/channels/items/properties/carries/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                    if (vErrors === null) {
                      vErrors = [err52];
                    } else {
                      vErrors.push(err52);
                    }
                    errors++;
                  }
                }
                if (data17.reason !== void 0 && func0.call(data17, "reason")) {
                  let data21 = data17.reason;
                  if (typeof data21 === "string") {
                    if (func76(data21) > 200) {
                      const err53 = { instancePath: instancePath + "/data/channels/" + i2 + "/reason", schemaPath: "#/properties/data/properties/channels/items/properties/reason/maxLength", keyword: "maxLength", params: { limit: 200 }, message: "must NOT have more than 200 characters" };
                      if (vErrors === null) {
                        vErrors = [err53];
                      } else {
                        vErrors.push(err53);
                      }
                      errors++;
                    }
                  } else {
                    const err54 = { instancePath: instancePath + "/data/channels/" + i2 + "/reason", schemaPath: "#/properties/data/properties/channels/items/properties/reason/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err54];
                    } else {
                      vErrors.push(err54);
                    }
                    errors++;
                  }
                }
                if (data17.text !== void 0 && func0.call(data17, "text")) {
                  let data22 = data17.text;
                  if (typeof data22 === "string") {
                    if (func76(data22) > 4096) {
                      const err55 = { instancePath: instancePath + "/data/channels/" + i2 + "/text", schemaPath: "#/properties/data/properties/channels/items/properties/text/maxLength", keyword: "maxLength", params: { limit: 4096 }, message: "must NOT have more than 4096 characters" };
                      if (vErrors === null) {
                        vErrors = [err55];
                      } else {
                        vErrors.push(err55);
                      }
                      errors++;
                    }
                  } else {
                    const err56 = { instancePath: instancePath + "/data/channels/" + i2 + "/text", schemaPath: "#/properties/data/properties/channels/items/properties/text/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err56];
                    } else {
                      vErrors.push(err56);
                    }
                    errors++;
                  }
                }
                if (data17.encoding !== void 0 && func0.call(data17, "encoding")) {
                  let data23 = data17.encoding;
                  if (typeof data23 !== "string") {
                    const err57 = { instancePath: instancePath + "/data/channels/" + i2 + "/encoding", schemaPath: "#/properties/data/properties/channels/items/properties/encoding/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err57];
                    } else {
                      vErrors.push(err57);
                    }
                    errors++;
                  }
                  if (!(data23 === "gsm7" || data23 === "ucs2")) {
                    const err58 = { instancePath: instancePath + "/data/channels/" + i2 + "/encoding", schemaPath: "#/properties/data/properties/channels/items/properties/encoding/enum", keyword: "enum", params: { allowedValues: schema67.properties.data.properties.channels.items.properties.encoding.enum }, message: "must be equal to one of the allowed values" };
                    if (vErrors === null) {
                      vErrors = [err58];
                    } else {
                      vErrors.push(err58);
                    }
                    errors++;
                  }
                }
                if (data17.segments !== void 0 && func0.call(data17, "segments")) {
                  let data24 = data17.segments;
                  if (!(typeof data24 == "number" && (!(data24 % 1) && !isNaN(data24)) && isFinite(data24))) {
                    const err59 = { instancePath: instancePath + "/data/channels/" + i2 + "/segments", schemaPath: "#/properties/data/properties/channels/items/properties/segments/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                    if (vErrors === null) {
                      vErrors = [err59];
                    } else {
                      vErrors.push(err59);
                    }
                    errors++;
                  }
                  if (typeof data24 == "number" && isFinite(data24)) {
                    if (data24 > 100 || isNaN(data24)) {
                      const err60 = { instancePath: instancePath + "/data/channels/" + i2 + "/segments", schemaPath: "#/properties/data/properties/channels/items/properties/segments/maximum", keyword: "maximum", params: { comparison: "<=", limit: 100 }, message: "must be <= 100" };
                      if (vErrors === null) {
                        vErrors = [err60];
                      } else {
                        vErrors.push(err60);
                      }
                      errors++;
                    }
                    if (data24 < 1 || isNaN(data24)) {
                      const err61 = { instancePath: instancePath + "/data/channels/" + i2 + "/segments", schemaPath: "#/properties/data/properties/channels/items/properties/segments/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                      if (vErrors === null) {
                        vErrors = [err61];
                      } else {
                        vErrors.push(err61);
                      }
                      errors++;
                    }
                  }
                }
                if (data17.whatsapp !== void 0 && func0.call(data17, "whatsapp")) {
                  let data25 = data17.whatsapp;
                  if (data25 && typeof data25 == "object" && !Array.isArray(data25)) {
                    if (data25.name === void 0 || !func0.call(data25, "name")) {
                      const err62 = { instancePath: instancePath + "/data/channels/" + i2 + "/whatsapp", schemaPath: "#/properties/data/properties/channels/items/properties/whatsapp/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
                      if (vErrors === null) {
                        vErrors = [err62];
                      } else {
                        vErrors.push(err62);
                      }
                      errors++;
                    }
                    if (data25.language === void 0 || !func0.call(data25, "language")) {
                      const err63 = { instancePath: instancePath + "/data/channels/" + i2 + "/whatsapp", schemaPath: "#/properties/data/properties/channels/items/properties/whatsapp/required", keyword: "required", params: { missingProperty: "language" }, message: "must have required property 'language'" };
                      if (vErrors === null) {
                        vErrors = [err63];
                      } else {
                        vErrors.push(err63);
                      }
                      errors++;
                    }
                    if (data25.places === void 0 || !func0.call(data25, "places")) {
                      const err64 = { instancePath: instancePath + "/data/channels/" + i2 + "/whatsapp", schemaPath: "#/properties/data/properties/channels/items/properties/whatsapp/required", keyword: "required", params: { missingProperty: "places" }, message: "must have required property 'places'" };
                      if (vErrors === null) {
                        vErrors = [err64];
                      } else {
                        vErrors.push(err64);
                      }
                      errors++;
                    }
                    for (const key6 of Object.keys(data25)) {
                      if (!(key6 === "name" || key6 === "language" || key6 === "places")) {
                        const err65 = { instancePath: instancePath + "/data/channels/" + i2 + "/whatsapp", schemaPath: "#/properties/data/properties/channels/items/properties/whatsapp/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key6 }, message: "must NOT have additional properties" };
                        if (vErrors === null) {
                          vErrors = [err65];
                        } else {
                          vErrors.push(err65);
                        }
                        errors++;
                      }
                    }
                    if (data25.name !== void 0 && func0.call(data25, "name")) {
                      let data26 = data25.name;
                      if (typeof data26 === "string") {
                        if (func76(data26) > 512) {
                          const err66 = { instancePath: instancePath + "/data/channels/" + i2 + "/whatsapp/name", schemaPath: "#/properties/data/properties/channels/items/properties/whatsapp/properties/name/maxLength", keyword: "maxLength", params: { limit: 512 }, message: "must NOT have more than 512 characters" };
                          if (vErrors === null) {
                            vErrors = [err66];
                          } else {
                            vErrors.push(err66);
                          }
                          errors++;
                        }
                      } else {
                        const err67 = { instancePath: instancePath + "/data/channels/" + i2 + "/whatsapp/name", schemaPath: "#/properties/data/properties/channels/items/properties/whatsapp/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        if (vErrors === null) {
                          vErrors = [err67];
                        } else {
                          vErrors.push(err67);
                        }
                        errors++;
                      }
                    }
                    if (data25.language !== void 0 && func0.call(data25, "language")) {
                      let data27 = data25.language;
                      if (typeof data27 === "string") {
                        if (func76(data27) > 20) {
                          const err68 = { instancePath: instancePath + "/data/channels/" + i2 + "/whatsapp/language", schemaPath: "#/properties/data/properties/channels/items/properties/whatsapp/properties/language/maxLength", keyword: "maxLength", params: { limit: 20 }, message: "must NOT have more than 20 characters" };
                          if (vErrors === null) {
                            vErrors = [err68];
                          } else {
                            vErrors.push(err68);
                          }
                          errors++;
                        }
                      } else {
                        const err69 = { instancePath: instancePath + "/data/channels/" + i2 + "/whatsapp/language", schemaPath: "#/properties/data/properties/channels/items/properties/whatsapp/properties/language/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        if (vErrors === null) {
                          vErrors = [err69];
                        } else {
                          vErrors.push(err69);
                        }
                        errors++;
                      }
                    }
                    if (data25.places !== void 0 && func0.call(data25, "places")) {
                      let data28 = data25.places;
                      if (Array.isArray(data28)) {
                        if (data28.length > 61) {
                          const err70 = { instancePath: instancePath + "/data/channels/" + i2 + "/whatsapp/places", schemaPath: "#/properties/data/properties/channels/items/properties/whatsapp/properties/places/maxItems", keyword: "maxItems", params: { limit: 61 }, message: "must NOT have more than 61 items" };
                          if (vErrors === null) {
                            vErrors = [err70];
                          } else {
                            vErrors.push(err70);
                          }
                          errors++;
                        }
                        const len3 = data28.length;
                        for (let i3 = 0; i3 < len3; i3++) {
                          let data29 = data28[i3];
                          if (data29 && typeof data29 == "object" && !Array.isArray(data29)) {
                            if (data29.part === void 0 || !func0.call(data29, "part")) {
                              const err71 = { instancePath: instancePath + "/data/channels/" + i2 + "/whatsapp/places/" + i3, schemaPath: "#/properties/data/properties/channels/items/properties/whatsapp/properties/places/items/required", keyword: "required", params: { missingProperty: "part" }, message: "must have required property 'part'" };
                              if (vErrors === null) {
                                vErrors = [err71];
                              } else {
                                vErrors.push(err71);
                              }
                              errors++;
                            }
                            if (data29.value === void 0 || !func0.call(data29, "value")) {
                              const err72 = { instancePath: instancePath + "/data/channels/" + i2 + "/whatsapp/places/" + i3, schemaPath: "#/properties/data/properties/channels/items/properties/whatsapp/properties/places/items/required", keyword: "required", params: { missingProperty: "value" }, message: "must have required property 'value'" };
                              if (vErrors === null) {
                                vErrors = [err72];
                              } else {
                                vErrors.push(err72);
                              }
                              errors++;
                            }
                            for (const key7 of Object.keys(data29)) {
                              if (!(key7 === "part" || key7 === "name" || key7 === "value")) {
                                const err73 = { instancePath: instancePath + "/data/channels/" + i2 + "/whatsapp/places/" + i3, schemaPath: "#/properties/data/properties/channels/items/properties/whatsapp/properties/places/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key7 }, message: "must NOT have additional properties" };
                                if (vErrors === null) {
                                  vErrors = [err73];
                                } else {
                                  vErrors.push(err73);
                                }
                                errors++;
                              }
                            }
                            if (data29.part !== void 0 && func0.call(data29, "part")) {
                              let data30 = data29.part;
                              if (typeof data30 !== "string") {
                                const err74 = { instancePath: instancePath + "/data/channels/" + i2 + "/whatsapp/places/" + i3 + "/part", schemaPath: "#/properties/data/properties/channels/items/properties/whatsapp/properties/places/items/properties/part/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                if (vErrors === null) {
                                  vErrors = [err74];
                                } else {
                                  vErrors.push(err74);
                                }
                                errors++;
                              }
                              if (!(data30 === "header" || data30 === "body" || data30 === "button")) {
                                const err75 = { instancePath: instancePath + "/data/channels/" + i2 + "/whatsapp/places/" + i3 + "/part", schemaPath: "#/properties/data/properties/channels/items/properties/whatsapp/properties/places/items/properties/part/enum", keyword: "enum", params: { allowedValues: schema67.properties.data.properties.channels.items.properties.whatsapp.properties.places.items.properties.part.enum }, message: "must be equal to one of the allowed values" };
                                if (vErrors === null) {
                                  vErrors = [err75];
                                } else {
                                  vErrors.push(err75);
                                }
                                errors++;
                              }
                            }
                            if (data29.name !== void 0 && func0.call(data29, "name")) {
                              let data31 = data29.name;
                              if (typeof data31 === "string") {
                                if (func76(data31) > 64) {
                                  const err76 = { instancePath: instancePath + "/data/channels/" + i2 + "/whatsapp/places/" + i3 + "/name", schemaPath: "#/properties/data/properties/channels/items/properties/whatsapp/properties/places/items/properties/name/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                                  if (vErrors === null) {
                                    vErrors = [err76];
                                  } else {
                                    vErrors.push(err76);
                                  }
                                  errors++;
                                }
                              } else {
                                const err77 = { instancePath: instancePath + "/data/channels/" + i2 + "/whatsapp/places/" + i3 + "/name", schemaPath: "#/properties/data/properties/channels/items/properties/whatsapp/properties/places/items/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                if (vErrors === null) {
                                  vErrors = [err77];
                                } else {
                                  vErrors.push(err77);
                                }
                                errors++;
                              }
                            }
                            if (data29.value !== void 0 && func0.call(data29, "value")) {
                              let data32 = data29.value;
                              if (typeof data32 === "string") {
                                if (func76(data32) > 65536) {
                                  const err78 = { instancePath: instancePath + "/data/channels/" + i2 + "/whatsapp/places/" + i3 + "/value", schemaPath: "#/properties/data/properties/channels/items/properties/whatsapp/properties/places/items/properties/value/maxLength", keyword: "maxLength", params: { limit: 65536 }, message: "must NOT have more than 65536 characters" };
                                  if (vErrors === null) {
                                    vErrors = [err78];
                                  } else {
                                    vErrors.push(err78);
                                  }
                                  errors++;
                                }
                              } else {
                                const err79 = { instancePath: instancePath + "/data/channels/" + i2 + "/whatsapp/places/" + i3 + "/value", schemaPath: "#/properties/data/properties/channels/items/properties/whatsapp/properties/places/items/properties/value/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                if (vErrors === null) {
                                  vErrors = [err79];
                                } else {
                                  vErrors.push(err79);
                                }
                                errors++;
                              }
                            }
                          } else {
                            const err80 = { instancePath: instancePath + "/data/channels/" + i2 + "/whatsapp/places/" + i3, schemaPath: "#/properties/data/properties/channels/items/properties/whatsapp/properties/places/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                            if (vErrors === null) {
                              vErrors = [err80];
                            } else {
                              vErrors.push(err80);
                            }
                            errors++;
                          }
                        }
                      } else {
                        const err81 = { instancePath: instancePath + "/data/channels/" + i2 + "/whatsapp/places", schemaPath: "#/properties/data/properties/channels/items/properties/whatsapp/properties/places/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                        if (vErrors === null) {
                          vErrors = [err81];
                        } else {
                          vErrors.push(err81);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err82 = { instancePath: instancePath + "/data/channels/" + i2 + "/whatsapp", schemaPath: "#/properties/data/properties/channels/items/properties/whatsapp/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                    if (vErrors === null) {
                      vErrors = [err82];
                    } else {
                      vErrors.push(err82);
                    }
                    errors++;
                  }
                }
              } else {
                const err83 = { instancePath: instancePath + "/data/channels/" + i2, schemaPath: "#/properties/data/properties/channels/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                if (vErrors === null) {
                  vErrors = [err83];
                } else {
                  vErrors.push(err83);
                }
                errors++;
              }
            }
          } else {
            const err84 = { instancePath: instancePath + "/data/channels", schemaPath: "#/properties/data/properties/channels/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            if (vErrors === null) {
              vErrors = [err84];
            } else {
              vErrors.push(err84);
            }
            errors++;
          }
        }
      } else {
        const err85 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err85];
        } else {
          vErrors.push(err85);
        }
        errors++;
      }
    }
  } else {
    const err86 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err86];
    } else {
      vErrors.push(err86);
    }
    errors++;
  }
  validate140.errors = vErrors;
  return errors === 0;
}
exports["previewNotification.200"] = validate141;
function validate141(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate21(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate140(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate140.errors : vErrors.concat(validate140.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate141.errors = vErrors;
  return errors === 0;
}
exports["listTemplates.200.body"] = validate144;
var schema69 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [true] }, "data": { "type": "object", "required": ["templates", "next"], "properties": { "templates": { "type": "array", "maxItems": 100, "items": { "type": "object", "required": ["slug", "category", "version", "default_locale", "locales", "variables", "updated_at"], "properties": { "slug": { "type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[a-z0-9][a-z0-9_-]*$" }, "category": { "type": "string", "enum": ["utility", "marketing"] }, "version": { "type": "integer", "minimum": 1, "maximum": 2147483647 }, "default_locale": { "type": "string", "maxLength": 35 }, "locales": { "type": "object", "minProperties": 1, "additionalProperties": { "type": "object", "required": ["text"], "properties": { "text": { "type": "string", "minLength": 1, "maxLength": 4096 }, "whatsapp": { "type": "object", "required": ["name", "language"], "properties": { "name": { "type": "string", "maxLength": 512 }, "language": { "type": "string", "maxLength": 20 }, "parameters": { "type": "array", "maxItems": 50, "items": { "type": "string", "maxLength": 64 } }, "body": { "type": "object", "additionalProperties": { "type": "string", "maxLength": 64 } }, "header": { "type": "object", "properties": { "text": { "type": "string", "maxLength": 2e3 }, "parameter": { "type": "string", "maxLength": 64 }, "image": { "type": "string", "maxLength": 2e3 }, "video": { "type": "string", "maxLength": 2e3 }, "document": { "type": "string", "maxLength": 2e3 }, "filename": { "type": "string", "maxLength": 2e3 } }, "additionalProperties": false }, "buttons": { "type": "array", "maxItems": 10, "items": { "type": "object", "properties": { "url": { "type": "string", "maxLength": 2e3 }, "quick_reply": { "type": "string", "maxLength": 2e3 }, "copy_code": { "type": "string", "maxLength": 2e3 } }, "additionalProperties": false } } }, "additionalProperties": false } }, "additionalProperties": false } }, "variables": { "type": "array", "maxItems": 50, "items": { "type": "object", "required": ["name", "kinds"], "properties": { "name": { "type": "string", "maxLength": 64, "pattern": "^[a-z][a-z0-9_]*$" }, "kinds": { "type": "array", "maxItems": 8, "uniqueItems": true, "items": { "type": "string", "enum": ["whatsapp", "telegram", "sms", "http", "sandbox"] } } }, "additionalProperties": false } }, "updated_at": { "type": "string", "format": "date-time" } }, "additionalProperties": false } }, "next": { "type": "string", "nullable": true, "maxLength": 64, "pattern": "^[a-z0-9][a-z0-9_-]*$" } }, "additionalProperties": false } }, "additionalProperties": false };
var pattern52 = new RegExp("^[a-z0-9][a-z0-9_-]*$", "u");
var pattern53 = new RegExp("^[a-z][a-z0-9_]*$", "u");
function validate144(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === true)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema69.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.templates === void 0 || !func0.call(data1, "templates")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "templates" }, message: "must have required property 'templates'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.next === void 0 || !func0.call(data1, "next")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "next" }, message: "must have required property 'next'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "templates" || key1 === "next")) {
            const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err7];
            } else {
              vErrors.push(err7);
            }
            errors++;
          }
        }
        if (data1.templates !== void 0 && func0.call(data1, "templates")) {
          let data2 = data1.templates;
          if (Array.isArray(data2)) {
            if (data2.length > 100) {
              const err8 = { instancePath: instancePath + "/data/templates", schemaPath: "#/properties/data/properties/templates/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
              if (vErrors === null) {
                vErrors = [err8];
              } else {
                vErrors.push(err8);
              }
              errors++;
            }
            const len0 = data2.length;
            for (let i0 = 0; i0 < len0; i0++) {
              let data3 = data2[i0];
              if (data3 && typeof data3 == "object" && !Array.isArray(data3)) {
                if (data3.slug === void 0 || !func0.call(data3, "slug")) {
                  const err9 = { instancePath: instancePath + "/data/templates/" + i0, schemaPath: "#/properties/data/properties/templates/items/required", keyword: "required", params: { missingProperty: "slug" }, message: "must have required property 'slug'" };
                  if (vErrors === null) {
                    vErrors = [err9];
                  } else {
                    vErrors.push(err9);
                  }
                  errors++;
                }
                if (data3.category === void 0 || !func0.call(data3, "category")) {
                  const err10 = { instancePath: instancePath + "/data/templates/" + i0, schemaPath: "#/properties/data/properties/templates/items/required", keyword: "required", params: { missingProperty: "category" }, message: "must have required property 'category'" };
                  if (vErrors === null) {
                    vErrors = [err10];
                  } else {
                    vErrors.push(err10);
                  }
                  errors++;
                }
                if (data3.version === void 0 || !func0.call(data3, "version")) {
                  const err11 = { instancePath: instancePath + "/data/templates/" + i0, schemaPath: "#/properties/data/properties/templates/items/required", keyword: "required", params: { missingProperty: "version" }, message: "must have required property 'version'" };
                  if (vErrors === null) {
                    vErrors = [err11];
                  } else {
                    vErrors.push(err11);
                  }
                  errors++;
                }
                if (data3.default_locale === void 0 || !func0.call(data3, "default_locale")) {
                  const err12 = { instancePath: instancePath + "/data/templates/" + i0, schemaPath: "#/properties/data/properties/templates/items/required", keyword: "required", params: { missingProperty: "default_locale" }, message: "must have required property 'default_locale'" };
                  if (vErrors === null) {
                    vErrors = [err12];
                  } else {
                    vErrors.push(err12);
                  }
                  errors++;
                }
                if (data3.locales === void 0 || !func0.call(data3, "locales")) {
                  const err13 = { instancePath: instancePath + "/data/templates/" + i0, schemaPath: "#/properties/data/properties/templates/items/required", keyword: "required", params: { missingProperty: "locales" }, message: "must have required property 'locales'" };
                  if (vErrors === null) {
                    vErrors = [err13];
                  } else {
                    vErrors.push(err13);
                  }
                  errors++;
                }
                if (data3.variables === void 0 || !func0.call(data3, "variables")) {
                  const err14 = { instancePath: instancePath + "/data/templates/" + i0, schemaPath: "#/properties/data/properties/templates/items/required", keyword: "required", params: { missingProperty: "variables" }, message: "must have required property 'variables'" };
                  if (vErrors === null) {
                    vErrors = [err14];
                  } else {
                    vErrors.push(err14);
                  }
                  errors++;
                }
                if (data3.updated_at === void 0 || !func0.call(data3, "updated_at")) {
                  const err15 = { instancePath: instancePath + "/data/templates/" + i0, schemaPath: "#/properties/data/properties/templates/items/required", keyword: "required", params: { missingProperty: "updated_at" }, message: "must have required property 'updated_at'" };
                  if (vErrors === null) {
                    vErrors = [err15];
                  } else {
                    vErrors.push(err15);
                  }
                  errors++;
                }
                for (const key2 of Object.keys(data3)) {
                  if (!(key2 === "slug" || key2 === "category" || key2 === "version" || key2 === "default_locale" || key2 === "locales" || key2 === "variables" || key2 === "updated_at")) {
                    const err16 = { instancePath: instancePath + "/data/templates/" + i0, schemaPath: "#/properties/data/properties/templates/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
                    if (vErrors === null) {
                      vErrors = [err16];
                    } else {
                      vErrors.push(err16);
                    }
                    errors++;
                  }
                }
                if (data3.slug !== void 0 && func0.call(data3, "slug")) {
                  let data4 = data3.slug;
                  if (typeof data4 === "string") {
                    if (func76(data4) > 64) {
                      const err17 = { instancePath: instancePath + "/data/templates/" + i0 + "/slug", schemaPath: "#/properties/data/properties/templates/items/properties/slug/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                      if (vErrors === null) {
                        vErrors = [err17];
                      } else {
                        vErrors.push(err17);
                      }
                      errors++;
                    }
                    if (func76(data4) < 1) {
                      const err18 = { instancePath: instancePath + "/data/templates/" + i0 + "/slug", schemaPath: "#/properties/data/properties/templates/items/properties/slug/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                      if (vErrors === null) {
                        vErrors = [err18];
                      } else {
                        vErrors.push(err18);
                      }
                      errors++;
                    }
                    if (!pattern52.test(data4)) {
                      const err19 = { instancePath: instancePath + "/data/templates/" + i0 + "/slug", schemaPath: "#/properties/data/properties/templates/items/properties/slug/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9][a-z0-9_-]*$" }, message: 'must match pattern "^[a-z0-9][a-z0-9_-]*$"' };
                      if (vErrors === null) {
                        vErrors = [err19];
                      } else {
                        vErrors.push(err19);
                      }
                      errors++;
                    }
                  } else {
                    const err20 = { instancePath: instancePath + "/data/templates/" + i0 + "/slug", schemaPath: "#/properties/data/properties/templates/items/properties/slug/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err20];
                    } else {
                      vErrors.push(err20);
                    }
                    errors++;
                  }
                }
                if (data3.category !== void 0 && func0.call(data3, "category")) {
                  let data5 = data3.category;
                  if (typeof data5 !== "string") {
                    const err21 = { instancePath: instancePath + "/data/templates/" + i0 + "/category", schemaPath: "#/properties/data/properties/templates/items/properties/category/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err21];
                    } else {
                      vErrors.push(err21);
                    }
                    errors++;
                  }
                  if (!(data5 === "utility" || data5 === "marketing")) {
                    const err22 = { instancePath: instancePath + "/data/templates/" + i0 + "/category", schemaPath: "#/properties/data/properties/templates/items/properties/category/enum", keyword: "enum", params: { allowedValues: schema69.properties.data.properties.templates.items.properties.category.enum }, message: "must be equal to one of the allowed values" };
                    if (vErrors === null) {
                      vErrors = [err22];
                    } else {
                      vErrors.push(err22);
                    }
                    errors++;
                  }
                }
                if (data3.version !== void 0 && func0.call(data3, "version")) {
                  let data6 = data3.version;
                  if (!(typeof data6 == "number" && (!(data6 % 1) && !isNaN(data6)) && isFinite(data6))) {
                    const err23 = { instancePath: instancePath + "/data/templates/" + i0 + "/version", schemaPath: "#/properties/data/properties/templates/items/properties/version/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                    if (vErrors === null) {
                      vErrors = [err23];
                    } else {
                      vErrors.push(err23);
                    }
                    errors++;
                  }
                  if (typeof data6 == "number" && isFinite(data6)) {
                    if (data6 > 2147483647 || isNaN(data6)) {
                      const err24 = { instancePath: instancePath + "/data/templates/" + i0 + "/version", schemaPath: "#/properties/data/properties/templates/items/properties/version/maximum", keyword: "maximum", params: { comparison: "<=", limit: 2147483647 }, message: "must be <= 2147483647" };
                      if (vErrors === null) {
                        vErrors = [err24];
                      } else {
                        vErrors.push(err24);
                      }
                      errors++;
                    }
                    if (data6 < 1 || isNaN(data6)) {
                      const err25 = { instancePath: instancePath + "/data/templates/" + i0 + "/version", schemaPath: "#/properties/data/properties/templates/items/properties/version/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                      if (vErrors === null) {
                        vErrors = [err25];
                      } else {
                        vErrors.push(err25);
                      }
                      errors++;
                    }
                  }
                }
                if (data3.default_locale !== void 0 && func0.call(data3, "default_locale")) {
                  let data7 = data3.default_locale;
                  if (typeof data7 === "string") {
                    if (func76(data7) > 35) {
                      const err26 = { instancePath: instancePath + "/data/templates/" + i0 + "/default_locale", schemaPath: "#/properties/data/properties/templates/items/properties/default_locale/maxLength", keyword: "maxLength", params: { limit: 35 }, message: "must NOT have more than 35 characters" };
                      if (vErrors === null) {
                        vErrors = [err26];
                      } else {
                        vErrors.push(err26);
                      }
                      errors++;
                    }
                  } else {
                    const err27 = { instancePath: instancePath + "/data/templates/" + i0 + "/default_locale", schemaPath: "#/properties/data/properties/templates/items/properties/default_locale/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err27];
                    } else {
                      vErrors.push(err27);
                    }
                    errors++;
                  }
                }
                if (data3.locales !== void 0 && func0.call(data3, "locales")) {
                  let data8 = data3.locales;
                  if (data8 && typeof data8 == "object" && !Array.isArray(data8)) {
                    if (Object.keys(data8).length < 1) {
                      const err28 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales", schemaPath: "#/properties/data/properties/templates/items/properties/locales/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties" };
                      if (vErrors === null) {
                        vErrors = [err28];
                      } else {
                        vErrors.push(err28);
                      }
                      errors++;
                    }
                    for (const key3 of Object.keys(data8)) {
                      let data9 = data8[key3];
                      if (data9 && typeof data9 == "object" && !Array.isArray(data9)) {
                        if (data9.text === void 0 || !func0.call(data9, "text")) {
                          const err29 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/required", keyword: "required", params: { missingProperty: "text" }, message: "must have required property 'text'" };
                          if (vErrors === null) {
                            vErrors = [err29];
                          } else {
                            vErrors.push(err29);
                          }
                          errors++;
                        }
                        for (const key4 of Object.keys(data9)) {
                          if (!(key4 === "text" || key4 === "whatsapp")) {
                            const err30 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key4 }, message: "must NOT have additional properties" };
                            if (vErrors === null) {
                              vErrors = [err30];
                            } else {
                              vErrors.push(err30);
                            }
                            errors++;
                          }
                        }
                        if (data9.text !== void 0 && func0.call(data9, "text")) {
                          let data10 = data9.text;
                          if (typeof data10 === "string") {
                            if (func76(data10) > 4096) {
                              const err31 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/text", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/text/maxLength", keyword: "maxLength", params: { limit: 4096 }, message: "must NOT have more than 4096 characters" };
                              if (vErrors === null) {
                                vErrors = [err31];
                              } else {
                                vErrors.push(err31);
                              }
                              errors++;
                            }
                            if (func76(data10) < 1) {
                              const err32 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/text", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/text/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                              if (vErrors === null) {
                                vErrors = [err32];
                              } else {
                                vErrors.push(err32);
                              }
                              errors++;
                            }
                          } else {
                            const err33 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/text", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/text/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err33];
                            } else {
                              vErrors.push(err33);
                            }
                            errors++;
                          }
                        }
                        if (data9.whatsapp !== void 0 && func0.call(data9, "whatsapp")) {
                          let data11 = data9.whatsapp;
                          if (data11 && typeof data11 == "object" && !Array.isArray(data11)) {
                            if (data11.name === void 0 || !func0.call(data11, "name")) {
                              const err34 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
                              if (vErrors === null) {
                                vErrors = [err34];
                              } else {
                                vErrors.push(err34);
                              }
                              errors++;
                            }
                            if (data11.language === void 0 || !func0.call(data11, "language")) {
                              const err35 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/required", keyword: "required", params: { missingProperty: "language" }, message: "must have required property 'language'" };
                              if (vErrors === null) {
                                vErrors = [err35];
                              } else {
                                vErrors.push(err35);
                              }
                              errors++;
                            }
                            for (const key5 of Object.keys(data11)) {
                              if (!(key5 === "name" || key5 === "language" || key5 === "parameters" || key5 === "body" || key5 === "header" || key5 === "buttons")) {
                                const err36 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key5 }, message: "must NOT have additional properties" };
                                if (vErrors === null) {
                                  vErrors = [err36];
                                } else {
                                  vErrors.push(err36);
                                }
                                errors++;
                              }
                            }
                            if (data11.name !== void 0 && func0.call(data11, "name")) {
                              let data12 = data11.name;
                              if (typeof data12 === "string") {
                                if (func76(data12) > 512) {
                                  const err37 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/name", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/name/maxLength", keyword: "maxLength", params: { limit: 512 }, message: "must NOT have more than 512 characters" };
                                  if (vErrors === null) {
                                    vErrors = [err37];
                                  } else {
                                    vErrors.push(err37);
                                  }
                                  errors++;
                                }
                              } else {
                                const err38 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/name", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                if (vErrors === null) {
                                  vErrors = [err38];
                                } else {
                                  vErrors.push(err38);
                                }
                                errors++;
                              }
                            }
                            if (data11.language !== void 0 && func0.call(data11, "language")) {
                              let data13 = data11.language;
                              if (typeof data13 === "string") {
                                if (func76(data13) > 20) {
                                  const err39 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/language", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/language/maxLength", keyword: "maxLength", params: { limit: 20 }, message: "must NOT have more than 20 characters" };
                                  if (vErrors === null) {
                                    vErrors = [err39];
                                  } else {
                                    vErrors.push(err39);
                                  }
                                  errors++;
                                }
                              } else {
                                const err40 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/language", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/language/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                if (vErrors === null) {
                                  vErrors = [err40];
                                } else {
                                  vErrors.push(err40);
                                }
                                errors++;
                              }
                            }
                            if (data11.parameters !== void 0 && func0.call(data11, "parameters")) {
                              let data14 = data11.parameters;
                              if (Array.isArray(data14)) {
                                if (data14.length > 50) {
                                  const err41 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/parameters", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/parameters/maxItems", keyword: "maxItems", params: { limit: 50 }, message: "must NOT have more than 50 items" };
                                  if (vErrors === null) {
                                    vErrors = [err41];
                                  } else {
                                    vErrors.push(err41);
                                  }
                                  errors++;
                                }
                                const len1 = data14.length;
                                for (let i1 = 0; i1 < len1; i1++) {
                                  let data15 = data14[i1];
                                  if (typeof data15 === "string") {
                                    if (func76(data15) > 64) {
                                      const err42 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/parameters/" + i1, schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/parameters/items/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                                      if (vErrors === null) {
                                        vErrors = [err42];
                                      } else {
                                        vErrors.push(err42);
                                      }
                                      errors++;
                                    }
                                  } else {
                                    const err43 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/parameters/" + i1, schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/parameters/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                    if (vErrors === null) {
                                      vErrors = [err43];
                                    } else {
                                      vErrors.push(err43);
                                    }
                                    errors++;
                                  }
                                }
                              } else {
                                const err44 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/parameters", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/parameters/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                                if (vErrors === null) {
                                  vErrors = [err44];
                                } else {
                                  vErrors.push(err44);
                                }
                                errors++;
                              }
                            }
                            if (data11.body !== void 0 && func0.call(data11, "body")) {
                              let data16 = data11.body;
                              if (data16 && typeof data16 == "object" && !Array.isArray(data16)) {
                                for (const key6 of Object.keys(data16)) {
                                  let data17 = data16[key6];
                                  if (typeof data17 === "string") {
                                    if (func76(data17) > 64) {
                                      const err45 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/body/" + key6.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/body/additionalProperties/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                                      if (vErrors === null) {
                                        vErrors = [err45];
                                      } else {
                                        vErrors.push(err45);
                                      }
                                      errors++;
                                    }
                                  } else {
                                    const err46 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/body/" + key6.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/body/additionalProperties/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                    if (vErrors === null) {
                                      vErrors = [err46];
                                    } else {
                                      vErrors.push(err46);
                                    }
                                    errors++;
                                  }
                                }
                              } else {
                                const err47 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/body", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/body/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                                if (vErrors === null) {
                                  vErrors = [err47];
                                } else {
                                  vErrors.push(err47);
                                }
                                errors++;
                              }
                            }
                            if (data11.header !== void 0 && func0.call(data11, "header")) {
                              let data18 = data11.header;
                              if (data18 && typeof data18 == "object" && !Array.isArray(data18)) {
                                for (const key7 of Object.keys(data18)) {
                                  if (!(key7 === "text" || key7 === "parameter" || key7 === "image" || key7 === "video" || key7 === "document" || key7 === "filename")) {
                                    const err48 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/header/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key7 }, message: "must NOT have additional properties" };
                                    if (vErrors === null) {
                                      vErrors = [err48];
                                    } else {
                                      vErrors.push(err48);
                                    }
                                    errors++;
                                  }
                                }
                                if (data18.text !== void 0 && func0.call(data18, "text")) {
                                  let data19 = data18.text;
                                  if (typeof data19 === "string") {
                                    if (func76(data19) > 2e3) {
                                      const err49 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/text", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/text/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                                      if (vErrors === null) {
                                        vErrors = [err49];
                                      } else {
                                        vErrors.push(err49);
                                      }
                                      errors++;
                                    }
                                  } else {
                                    const err50 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/text", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/text/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                    if (vErrors === null) {
                                      vErrors = [err50];
                                    } else {
                                      vErrors.push(err50);
                                    }
                                    errors++;
                                  }
                                }
                                if (data18.parameter !== void 0 && func0.call(data18, "parameter")) {
                                  let data20 = data18.parameter;
                                  if (typeof data20 === "string") {
                                    if (func76(data20) > 64) {
                                      const err51 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/parameter", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/parameter/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                                      if (vErrors === null) {
                                        vErrors = [err51];
                                      } else {
                                        vErrors.push(err51);
                                      }
                                      errors++;
                                    }
                                  } else {
                                    const err52 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/parameter", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/parameter/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                    if (vErrors === null) {
                                      vErrors = [err52];
                                    } else {
                                      vErrors.push(err52);
                                    }
                                    errors++;
                                  }
                                }
                                if (data18.image !== void 0 && func0.call(data18, "image")) {
                                  let data21 = data18.image;
                                  if (typeof data21 === "string") {
                                    if (func76(data21) > 2e3) {
                                      const err53 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/image", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/image/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                                      if (vErrors === null) {
                                        vErrors = [err53];
                                      } else {
                                        vErrors.push(err53);
                                      }
                                      errors++;
                                    }
                                  } else {
                                    const err54 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/image", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/image/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                    if (vErrors === null) {
                                      vErrors = [err54];
                                    } else {
                                      vErrors.push(err54);
                                    }
                                    errors++;
                                  }
                                }
                                if (data18.video !== void 0 && func0.call(data18, "video")) {
                                  let data22 = data18.video;
                                  if (typeof data22 === "string") {
                                    if (func76(data22) > 2e3) {
                                      const err55 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/video", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/video/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                                      if (vErrors === null) {
                                        vErrors = [err55];
                                      } else {
                                        vErrors.push(err55);
                                      }
                                      errors++;
                                    }
                                  } else {
                                    const err56 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/video", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/video/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                    if (vErrors === null) {
                                      vErrors = [err56];
                                    } else {
                                      vErrors.push(err56);
                                    }
                                    errors++;
                                  }
                                }
                                if (data18.document !== void 0 && func0.call(data18, "document")) {
                                  let data23 = data18.document;
                                  if (typeof data23 === "string") {
                                    if (func76(data23) > 2e3) {
                                      const err57 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/document", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/document/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                                      if (vErrors === null) {
                                        vErrors = [err57];
                                      } else {
                                        vErrors.push(err57);
                                      }
                                      errors++;
                                    }
                                  } else {
                                    const err58 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/document", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/document/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                    if (vErrors === null) {
                                      vErrors = [err58];
                                    } else {
                                      vErrors.push(err58);
                                    }
                                    errors++;
                                  }
                                }
                                if (data18.filename !== void 0 && func0.call(data18, "filename")) {
                                  let data24 = data18.filename;
                                  if (typeof data24 === "string") {
                                    if (func76(data24) > 2e3) {
                                      const err59 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/filename", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/filename/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                                      if (vErrors === null) {
                                        vErrors = [err59];
                                      } else {
                                        vErrors.push(err59);
                                      }
                                      errors++;
                                    }
                                  } else {
                                    const err60 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/filename", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/filename/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                    if (vErrors === null) {
                                      vErrors = [err60];
                                    } else {
                                      vErrors.push(err60);
                                    }
                                    errors++;
                                  }
                                }
                              } else {
                                const err61 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/header/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                                if (vErrors === null) {
                                  vErrors = [err61];
                                } else {
                                  vErrors.push(err61);
                                }
                                errors++;
                              }
                            }
                            if (data11.buttons !== void 0 && func0.call(data11, "buttons")) {
                              let data25 = data11.buttons;
                              if (Array.isArray(data25)) {
                                if (data25.length > 10) {
                                  const err62 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/maxItems", keyword: "maxItems", params: { limit: 10 }, message: "must NOT have more than 10 items" };
                                  if (vErrors === null) {
                                    vErrors = [err62];
                                  } else {
                                    vErrors.push(err62);
                                  }
                                  errors++;
                                }
                                const len2 = data25.length;
                                for (let i2 = 0; i2 < len2; i2++) {
                                  let data26 = data25[i2];
                                  if (data26 && typeof data26 == "object" && !Array.isArray(data26)) {
                                    for (const key8 of Object.keys(data26)) {
                                      if (!(key8 === "url" || key8 === "quick_reply" || key8 === "copy_code")) {
                                        const err63 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i2, schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key8 }, message: "must NOT have additional properties" };
                                        if (vErrors === null) {
                                          vErrors = [err63];
                                        } else {
                                          vErrors.push(err63);
                                        }
                                        errors++;
                                      }
                                    }
                                    if (data26.url !== void 0 && func0.call(data26, "url")) {
                                      let data27 = data26.url;
                                      if (typeof data27 === "string") {
                                        if (func76(data27) > 2e3) {
                                          const err64 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i2 + "/url", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/properties/url/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                                          if (vErrors === null) {
                                            vErrors = [err64];
                                          } else {
                                            vErrors.push(err64);
                                          }
                                          errors++;
                                        }
                                      } else {
                                        const err65 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i2 + "/url", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/properties/url/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                        if (vErrors === null) {
                                          vErrors = [err65];
                                        } else {
                                          vErrors.push(err65);
                                        }
                                        errors++;
                                      }
                                    }
                                    if (data26.quick_reply !== void 0 && func0.call(data26, "quick_reply")) {
                                      let data28 = data26.quick_reply;
                                      if (typeof data28 === "string") {
                                        if (func76(data28) > 2e3) {
                                          const err66 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i2 + "/quick_reply", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/properties/quick_reply/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                                          if (vErrors === null) {
                                            vErrors = [err66];
                                          } else {
                                            vErrors.push(err66);
                                          }
                                          errors++;
                                        }
                                      } else {
                                        const err67 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i2 + "/quick_reply", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/properties/quick_reply/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                        if (vErrors === null) {
                                          vErrors = [err67];
                                        } else {
                                          vErrors.push(err67);
                                        }
                                        errors++;
                                      }
                                    }
                                    if (data26.copy_code !== void 0 && func0.call(data26, "copy_code")) {
                                      let data29 = data26.copy_code;
                                      if (typeof data29 === "string") {
                                        if (func76(data29) > 2e3) {
                                          const err68 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i2 + "/copy_code", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/properties/copy_code/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                                          if (vErrors === null) {
                                            vErrors = [err68];
                                          } else {
                                            vErrors.push(err68);
                                          }
                                          errors++;
                                        }
                                      } else {
                                        const err69 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i2 + "/copy_code", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/properties/copy_code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                        if (vErrors === null) {
                                          vErrors = [err69];
                                        } else {
                                          vErrors.push(err69);
                                        }
                                        errors++;
                                      }
                                    }
                                  } else {
                                    const err70 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i2, schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                                    if (vErrors === null) {
                                      vErrors = [err70];
                                    } else {
                                      vErrors.push(err70);
                                    }
                                    errors++;
                                  }
                                }
                              } else {
                                const err71 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                                if (vErrors === null) {
                                  vErrors = [err71];
                                } else {
                                  vErrors.push(err71);
                                }
                                errors++;
                              }
                            }
                          } else {
                            const err72 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp", schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/properties/whatsapp/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                            if (vErrors === null) {
                              vErrors = [err72];
                            } else {
                              vErrors.push(err72);
                            }
                            errors++;
                          }
                        }
                      } else {
                        const err73 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/templates/items/properties/locales/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                        if (vErrors === null) {
                          vErrors = [err73];
                        } else {
                          vErrors.push(err73);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err74 = { instancePath: instancePath + "/data/templates/" + i0 + "/locales", schemaPath: "#/properties/data/properties/templates/items/properties/locales/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                    if (vErrors === null) {
                      vErrors = [err74];
                    } else {
                      vErrors.push(err74);
                    }
                    errors++;
                  }
                }
                if (data3.variables !== void 0 && func0.call(data3, "variables")) {
                  let data30 = data3.variables;
                  if (Array.isArray(data30)) {
                    if (data30.length > 50) {
                      const err75 = { instancePath: instancePath + "/data/templates/" + i0 + "/variables", schemaPath: "#/properties/data/properties/templates/items/properties/variables/maxItems", keyword: "maxItems", params: { limit: 50 }, message: "must NOT have more than 50 items" };
                      if (vErrors === null) {
                        vErrors = [err75];
                      } else {
                        vErrors.push(err75);
                      }
                      errors++;
                    }
                    const len3 = data30.length;
                    for (let i3 = 0; i3 < len3; i3++) {
                      let data31 = data30[i3];
                      if (data31 && typeof data31 == "object" && !Array.isArray(data31)) {
                        if (data31.name === void 0 || !func0.call(data31, "name")) {
                          const err76 = { instancePath: instancePath + "/data/templates/" + i0 + "/variables/" + i3, schemaPath: "#/properties/data/properties/templates/items/properties/variables/items/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
                          if (vErrors === null) {
                            vErrors = [err76];
                          } else {
                            vErrors.push(err76);
                          }
                          errors++;
                        }
                        if (data31.kinds === void 0 || !func0.call(data31, "kinds")) {
                          const err77 = { instancePath: instancePath + "/data/templates/" + i0 + "/variables/" + i3, schemaPath: "#/properties/data/properties/templates/items/properties/variables/items/required", keyword: "required", params: { missingProperty: "kinds" }, message: "must have required property 'kinds'" };
                          if (vErrors === null) {
                            vErrors = [err77];
                          } else {
                            vErrors.push(err77);
                          }
                          errors++;
                        }
                        for (const key9 of Object.keys(data31)) {
                          if (!(key9 === "name" || key9 === "kinds")) {
                            const err78 = { instancePath: instancePath + "/data/templates/" + i0 + "/variables/" + i3, schemaPath: "#/properties/data/properties/templates/items/properties/variables/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key9 }, message: "must NOT have additional properties" };
                            if (vErrors === null) {
                              vErrors = [err78];
                            } else {
                              vErrors.push(err78);
                            }
                            errors++;
                          }
                        }
                        if (data31.name !== void 0 && func0.call(data31, "name")) {
                          let data32 = data31.name;
                          if (typeof data32 === "string") {
                            if (func76(data32) > 64) {
                              const err79 = { instancePath: instancePath + "/data/templates/" + i0 + "/variables/" + i3 + "/name", schemaPath: "#/properties/data/properties/templates/items/properties/variables/items/properties/name/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                              if (vErrors === null) {
                                vErrors = [err79];
                              } else {
                                vErrors.push(err79);
                              }
                              errors++;
                            }
                            if (!pattern53.test(data32)) {
                              const err80 = { instancePath: instancePath + "/data/templates/" + i0 + "/variables/" + i3 + "/name", schemaPath: "#/properties/data/properties/templates/items/properties/variables/items/properties/name/pattern", keyword: "pattern", params: { pattern: "^[a-z][a-z0-9_]*$" }, message: 'must match pattern "^[a-z][a-z0-9_]*$"' };
                              if (vErrors === null) {
                                vErrors = [err80];
                              } else {
                                vErrors.push(err80);
                              }
                              errors++;
                            }
                          } else {
                            const err81 = { instancePath: instancePath + "/data/templates/" + i0 + "/variables/" + i3 + "/name", schemaPath: "#/properties/data/properties/templates/items/properties/variables/items/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err81];
                            } else {
                              vErrors.push(err81);
                            }
                            errors++;
                          }
                        }
                        if (data31.kinds !== void 0 && func0.call(data31, "kinds")) {
                          let data33 = data31.kinds;
                          if (Array.isArray(data33)) {
                            if (data33.length > 8) {
                              const err82 = { instancePath: instancePath + "/data/templates/" + i0 + "/variables/" + i3 + "/kinds", schemaPath: "#/properties/data/properties/templates/items/properties/variables/items/properties/kinds/maxItems", keyword: "maxItems", params: { limit: 8 }, message: "must NOT have more than 8 items" };
                              if (vErrors === null) {
                                vErrors = [err82];
                              } else {
                                vErrors.push(err82);
                              }
                              errors++;
                            }
                            const len4 = data33.length;
                            for (let i4 = 0; i4 < len4; i4++) {
                              let data34 = data33[i4];
                              if (typeof data34 !== "string") {
                                const err83 = { instancePath: instancePath + "/data/templates/" + i0 + "/variables/" + i3 + "/kinds/" + i4, schemaPath: "#/properties/data/properties/templates/items/properties/variables/items/properties/kinds/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                if (vErrors === null) {
                                  vErrors = [err83];
                                } else {
                                  vErrors.push(err83);
                                }
                                errors++;
                              }
                              if (!(data34 === "whatsapp" || data34 === "telegram" || data34 === "sms" || data34 === "http" || data34 === "sandbox")) {
                                const err84 = { instancePath: instancePath + "/data/templates/" + i0 + "/variables/" + i3 + "/kinds/" + i4, schemaPath: "#/properties/data/properties/templates/items/properties/variables/items/properties/kinds/items/enum", keyword: "enum", params: { allowedValues: schema69.properties.data.properties.templates.items.properties.variables.items.properties.kinds.items.enum }, message: "must be equal to one of the allowed values" };
                                if (vErrors === null) {
                                  vErrors = [err84];
                                } else {
                                  vErrors.push(err84);
                                }
                                errors++;
                              }
                            }
                            let i5 = data33.length;
                            let j0;
                            if (i5 > 1) {
                              const indices0 = {};
                              for (; i5--; ) {
                                let item0 = data33[i5];
                                if (typeof item0 !== "string") {
                                  continue;
                                }
                                if (typeof indices0[item0] == "number") {
                                  j0 = indices0[item0];
                                  const err85 = { instancePath: instancePath + "/data/templates/" + i0 + "/variables/" + i3 + "/kinds", schemaPath: "#/properties/data/properties/templates/items/properties/variables/items/properties/kinds/uniqueItems", keyword: "uniqueItems", params: { i: i5, j: j0 }, message: "must NOT have duplicate items (items ## " + j0 + " and " + i5 + " are identical)" };
                                  if (vErrors === null) {
                                    vErrors = [err85];
                                  } else {
                                    vErrors.push(err85);
                                  }
                                  errors++;
                                  break;
                                }
                                indices0[item0] = i5;
                              }
                            }
                          } else {
                            const err86 = { instancePath: instancePath + "/data/templates/" + i0 + "/variables/" + i3 + "/kinds", schemaPath: "#/properties/data/properties/templates/items/properties/variables/items/properties/kinds/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                            if (vErrors === null) {
                              vErrors = [err86];
                            } else {
                              vErrors.push(err86);
                            }
                            errors++;
                          }
                        }
                      } else {
                        const err87 = { instancePath: instancePath + "/data/templates/" + i0 + "/variables/" + i3, schemaPath: "#/properties/data/properties/templates/items/properties/variables/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                        if (vErrors === null) {
                          vErrors = [err87];
                        } else {
                          vErrors.push(err87);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err88 = { instancePath: instancePath + "/data/templates/" + i0 + "/variables", schemaPath: "#/properties/data/properties/templates/items/properties/variables/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                    if (vErrors === null) {
                      vErrors = [err88];
                    } else {
                      vErrors.push(err88);
                    }
                    errors++;
                  }
                }
                if (data3.updated_at !== void 0 && func0.call(data3, "updated_at")) {
                  let data35 = data3.updated_at;
                  if (typeof data35 === "string") {
                    if (!formats0.validate(data35)) {
                      const err89 = { instancePath: instancePath + "/data/templates/" + i0 + "/updated_at", schemaPath: "#/properties/data/properties/templates/items/properties/updated_at/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
                      if (vErrors === null) {
                        vErrors = [err89];
                      } else {
                        vErrors.push(err89);
                      }
                      errors++;
                    }
                  } else {
                    const err90 = { instancePath: instancePath + "/data/templates/" + i0 + "/updated_at", schemaPath: "#/properties/data/properties/templates/items/properties/updated_at/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err90];
                    } else {
                      vErrors.push(err90);
                    }
                    errors++;
                  }
                }
              } else {
                const err91 = { instancePath: instancePath + "/data/templates/" + i0, schemaPath: "#/properties/data/properties/templates/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                if (vErrors === null) {
                  vErrors = [err91];
                } else {
                  vErrors.push(err91);
                }
                errors++;
              }
            }
          } else {
            const err92 = { instancePath: instancePath + "/data/templates", schemaPath: "#/properties/data/properties/templates/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            if (vErrors === null) {
              vErrors = [err92];
            } else {
              vErrors.push(err92);
            }
            errors++;
          }
        }
        if (data1.next !== void 0 && func0.call(data1, "next")) {
          let data36 = data1.next;
          if (typeof data36 !== "string" && data36 !== null) {
            const err93 = { instancePath: instancePath + "/data/next", schemaPath: "#/properties/data/properties/next/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err93];
            } else {
              vErrors.push(err93);
            }
            errors++;
          }
          if (typeof data36 === "string") {
            if (func76(data36) > 64) {
              const err94 = { instancePath: instancePath + "/data/next", schemaPath: "#/properties/data/properties/next/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              if (vErrors === null) {
                vErrors = [err94];
              } else {
                vErrors.push(err94);
              }
              errors++;
            }
            if (!pattern52.test(data36)) {
              const err95 = { instancePath: instancePath + "/data/next", schemaPath: "#/properties/data/properties/next/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9][a-z0-9_-]*$" }, message: 'must match pattern "^[a-z0-9][a-z0-9_-]*$"' };
              if (vErrors === null) {
                vErrors = [err95];
              } else {
                vErrors.push(err95);
              }
              errors++;
            }
          }
        }
      } else {
        const err96 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err96];
        } else {
          vErrors.push(err96);
        }
        errors++;
      }
    }
  } else {
    const err97 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err97];
    } else {
      vErrors.push(err97);
    }
    errors++;
  }
  validate144.errors = vErrors;
  return errors === 0;
}
exports["listTemplates.200"] = validate145;
function validate145(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate35(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate144(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate144.errors : vErrors.concat(validate144.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate145.errors = vErrors;
  return errors === 0;
}
exports["getTemplate.200.body"] = validate148;
var schema71 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [true] }, "data": { "type": "object", "required": ["slug", "category", "version", "default_locale", "locales", "variables", "updated_at"], "properties": { "slug": { "type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[a-z0-9][a-z0-9_-]*$" }, "category": { "type": "string", "enum": ["utility", "marketing"] }, "version": { "type": "integer", "minimum": 1, "maximum": 2147483647 }, "default_locale": { "type": "string", "maxLength": 35 }, "locales": { "type": "object", "minProperties": 1, "additionalProperties": { "type": "object", "required": ["text"], "properties": { "text": { "type": "string", "minLength": 1, "maxLength": 4096 }, "whatsapp": { "type": "object", "required": ["name", "language"], "properties": { "name": { "type": "string", "maxLength": 512 }, "language": { "type": "string", "maxLength": 20 }, "parameters": { "type": "array", "maxItems": 50, "items": { "type": "string", "maxLength": 64 } }, "body": { "type": "object", "additionalProperties": { "type": "string", "maxLength": 64 } }, "header": { "type": "object", "properties": { "text": { "type": "string", "maxLength": 2e3 }, "parameter": { "type": "string", "maxLength": 64 }, "image": { "type": "string", "maxLength": 2e3 }, "video": { "type": "string", "maxLength": 2e3 }, "document": { "type": "string", "maxLength": 2e3 }, "filename": { "type": "string", "maxLength": 2e3 } }, "additionalProperties": false }, "buttons": { "type": "array", "maxItems": 10, "items": { "type": "object", "properties": { "url": { "type": "string", "maxLength": 2e3 }, "quick_reply": { "type": "string", "maxLength": 2e3 }, "copy_code": { "type": "string", "maxLength": 2e3 } }, "additionalProperties": false } } }, "additionalProperties": false } }, "additionalProperties": false } }, "variables": { "type": "array", "maxItems": 50, "items": { "type": "object", "required": ["name", "kinds"], "properties": { "name": { "type": "string", "maxLength": 64, "pattern": "^[a-z][a-z0-9_]*$" }, "kinds": { "type": "array", "maxItems": 8, "uniqueItems": true, "items": { "type": "string", "enum": ["whatsapp", "telegram", "sms", "http", "sandbox"] } } }, "additionalProperties": false } }, "updated_at": { "type": "string", "format": "date-time" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate148(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === true)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema71.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.slug === void 0 || !func0.call(data1, "slug")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "slug" }, message: "must have required property 'slug'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.category === void 0 || !func0.call(data1, "category")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "category" }, message: "must have required property 'category'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.version === void 0 || !func0.call(data1, "version")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "version" }, message: "must have required property 'version'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        if (data1.default_locale === void 0 || !func0.call(data1, "default_locale")) {
          const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "default_locale" }, message: "must have required property 'default_locale'" };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
        if (data1.locales === void 0 || !func0.call(data1, "locales")) {
          const err9 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "locales" }, message: "must have required property 'locales'" };
          if (vErrors === null) {
            vErrors = [err9];
          } else {
            vErrors.push(err9);
          }
          errors++;
        }
        if (data1.variables === void 0 || !func0.call(data1, "variables")) {
          const err10 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "variables" }, message: "must have required property 'variables'" };
          if (vErrors === null) {
            vErrors = [err10];
          } else {
            vErrors.push(err10);
          }
          errors++;
        }
        if (data1.updated_at === void 0 || !func0.call(data1, "updated_at")) {
          const err11 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "updated_at" }, message: "must have required property 'updated_at'" };
          if (vErrors === null) {
            vErrors = [err11];
          } else {
            vErrors.push(err11);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "slug" || key1 === "category" || key1 === "version" || key1 === "default_locale" || key1 === "locales" || key1 === "variables" || key1 === "updated_at")) {
            const err12 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err12];
            } else {
              vErrors.push(err12);
            }
            errors++;
          }
        }
        if (data1.slug !== void 0 && func0.call(data1, "slug")) {
          let data2 = data1.slug;
          if (typeof data2 === "string") {
            if (func76(data2) > 64) {
              const err13 = { instancePath: instancePath + "/data/slug", schemaPath: "#/properties/data/properties/slug/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              if (vErrors === null) {
                vErrors = [err13];
              } else {
                vErrors.push(err13);
              }
              errors++;
            }
            if (func76(data2) < 1) {
              const err14 = { instancePath: instancePath + "/data/slug", schemaPath: "#/properties/data/properties/slug/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err14];
              } else {
                vErrors.push(err14);
              }
              errors++;
            }
            if (!pattern52.test(data2)) {
              const err15 = { instancePath: instancePath + "/data/slug", schemaPath: "#/properties/data/properties/slug/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9][a-z0-9_-]*$" }, message: 'must match pattern "^[a-z0-9][a-z0-9_-]*$"' };
              if (vErrors === null) {
                vErrors = [err15];
              } else {
                vErrors.push(err15);
              }
              errors++;
            }
          } else {
            const err16 = { instancePath: instancePath + "/data/slug", schemaPath: "#/properties/data/properties/slug/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err16];
            } else {
              vErrors.push(err16);
            }
            errors++;
          }
        }
        if (data1.category !== void 0 && func0.call(data1, "category")) {
          let data3 = data1.category;
          if (typeof data3 !== "string") {
            const err17 = { instancePath: instancePath + "/data/category", schemaPath: "#/properties/data/properties/category/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err17];
            } else {
              vErrors.push(err17);
            }
            errors++;
          }
          if (!(data3 === "utility" || data3 === "marketing")) {
            const err18 = { instancePath: instancePath + "/data/category", schemaPath: "#/properties/data/properties/category/enum", keyword: "enum", params: { allowedValues: schema71.properties.data.properties.category.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err18];
            } else {
              vErrors.push(err18);
            }
            errors++;
          }
        }
        if (data1.version !== void 0 && func0.call(data1, "version")) {
          let data4 = data1.version;
          if (!(typeof data4 == "number" && (!(data4 % 1) && !isNaN(data4)) && isFinite(data4))) {
            const err19 = { instancePath: instancePath + "/data/version", schemaPath: "#/properties/data/properties/version/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            if (vErrors === null) {
              vErrors = [err19];
            } else {
              vErrors.push(err19);
            }
            errors++;
          }
          if (typeof data4 == "number" && isFinite(data4)) {
            if (data4 > 2147483647 || isNaN(data4)) {
              const err20 = { instancePath: instancePath + "/data/version", schemaPath: "#/properties/data/properties/version/maximum", keyword: "maximum", params: { comparison: "<=", limit: 2147483647 }, message: "must be <= 2147483647" };
              if (vErrors === null) {
                vErrors = [err20];
              } else {
                vErrors.push(err20);
              }
              errors++;
            }
            if (data4 < 1 || isNaN(data4)) {
              const err21 = { instancePath: instancePath + "/data/version", schemaPath: "#/properties/data/properties/version/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              if (vErrors === null) {
                vErrors = [err21];
              } else {
                vErrors.push(err21);
              }
              errors++;
            }
          }
        }
        if (data1.default_locale !== void 0 && func0.call(data1, "default_locale")) {
          let data5 = data1.default_locale;
          if (typeof data5 === "string") {
            if (func76(data5) > 35) {
              const err22 = { instancePath: instancePath + "/data/default_locale", schemaPath: "#/properties/data/properties/default_locale/maxLength", keyword: "maxLength", params: { limit: 35 }, message: "must NOT have more than 35 characters" };
              if (vErrors === null) {
                vErrors = [err22];
              } else {
                vErrors.push(err22);
              }
              errors++;
            }
          } else {
            const err23 = { instancePath: instancePath + "/data/default_locale", schemaPath: "#/properties/data/properties/default_locale/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err23];
            } else {
              vErrors.push(err23);
            }
            errors++;
          }
        }
        if (data1.locales !== void 0 && func0.call(data1, "locales")) {
          let data6 = data1.locales;
          if (data6 && typeof data6 == "object" && !Array.isArray(data6)) {
            if (Object.keys(data6).length < 1) {
              const err24 = { instancePath: instancePath + "/data/locales", schemaPath: "#/properties/data/properties/locales/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties" };
              if (vErrors === null) {
                vErrors = [err24];
              } else {
                vErrors.push(err24);
              }
              errors++;
            }
            for (const key2 of Object.keys(data6)) {
              let data7 = data6[key2];
              if (data7 && typeof data7 == "object" && !Array.isArray(data7)) {
                if (data7.text === void 0 || !func0.call(data7, "text")) {
                  const err25 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/locales/additionalProperties/required", keyword: "required", params: { missingProperty: "text" }, message: "must have required property 'text'" };
                  if (vErrors === null) {
                    vErrors = [err25];
                  } else {
                    vErrors.push(err25);
                  }
                  errors++;
                }
                for (const key3 of Object.keys(data7)) {
                  if (!(key3 === "text" || key3 === "whatsapp")) {
                    const err26 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/locales/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 }, message: "must NOT have additional properties" };
                    if (vErrors === null) {
                      vErrors = [err26];
                    } else {
                      vErrors.push(err26);
                    }
                    errors++;
                  }
                }
                if (data7.text !== void 0 && func0.call(data7, "text")) {
                  let data8 = data7.text;
                  if (typeof data8 === "string") {
                    if (func76(data8) > 4096) {
                      const err27 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/text", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/text/maxLength", keyword: "maxLength", params: { limit: 4096 }, message: "must NOT have more than 4096 characters" };
                      if (vErrors === null) {
                        vErrors = [err27];
                      } else {
                        vErrors.push(err27);
                      }
                      errors++;
                    }
                    if (func76(data8) < 1) {
                      const err28 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/text", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/text/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                      if (vErrors === null) {
                        vErrors = [err28];
                      } else {
                        vErrors.push(err28);
                      }
                      errors++;
                    }
                  } else {
                    const err29 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/text", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/text/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err29];
                    } else {
                      vErrors.push(err29);
                    }
                    errors++;
                  }
                }
                if (data7.whatsapp !== void 0 && func0.call(data7, "whatsapp")) {
                  let data9 = data7.whatsapp;
                  if (data9 && typeof data9 == "object" && !Array.isArray(data9)) {
                    if (data9.name === void 0 || !func0.call(data9, "name")) {
                      const err30 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
                      if (vErrors === null) {
                        vErrors = [err30];
                      } else {
                        vErrors.push(err30);
                      }
                      errors++;
                    }
                    if (data9.language === void 0 || !func0.call(data9, "language")) {
                      const err31 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/required", keyword: "required", params: { missingProperty: "language" }, message: "must have required property 'language'" };
                      if (vErrors === null) {
                        vErrors = [err31];
                      } else {
                        vErrors.push(err31);
                      }
                      errors++;
                    }
                    for (const key4 of Object.keys(data9)) {
                      if (!(key4 === "name" || key4 === "language" || key4 === "parameters" || key4 === "body" || key4 === "header" || key4 === "buttons")) {
                        const err32 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key4 }, message: "must NOT have additional properties" };
                        if (vErrors === null) {
                          vErrors = [err32];
                        } else {
                          vErrors.push(err32);
                        }
                        errors++;
                      }
                    }
                    if (data9.name !== void 0 && func0.call(data9, "name")) {
                      let data10 = data9.name;
                      if (typeof data10 === "string") {
                        if (func76(data10) > 512) {
                          const err33 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/name", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/name/maxLength", keyword: "maxLength", params: { limit: 512 }, message: "must NOT have more than 512 characters" };
                          if (vErrors === null) {
                            vErrors = [err33];
                          } else {
                            vErrors.push(err33);
                          }
                          errors++;
                        }
                      } else {
                        const err34 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/name", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        if (vErrors === null) {
                          vErrors = [err34];
                        } else {
                          vErrors.push(err34);
                        }
                        errors++;
                      }
                    }
                    if (data9.language !== void 0 && func0.call(data9, "language")) {
                      let data11 = data9.language;
                      if (typeof data11 === "string") {
                        if (func76(data11) > 20) {
                          const err35 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/language", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/language/maxLength", keyword: "maxLength", params: { limit: 20 }, message: "must NOT have more than 20 characters" };
                          if (vErrors === null) {
                            vErrors = [err35];
                          } else {
                            vErrors.push(err35);
                          }
                          errors++;
                        }
                      } else {
                        const err36 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/language", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/language/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        if (vErrors === null) {
                          vErrors = [err36];
                        } else {
                          vErrors.push(err36);
                        }
                        errors++;
                      }
                    }
                    if (data9.parameters !== void 0 && func0.call(data9, "parameters")) {
                      let data12 = data9.parameters;
                      if (Array.isArray(data12)) {
                        if (data12.length > 50) {
                          const err37 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/parameters", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/parameters/maxItems", keyword: "maxItems", params: { limit: 50 }, message: "must NOT have more than 50 items" };
                          if (vErrors === null) {
                            vErrors = [err37];
                          } else {
                            vErrors.push(err37);
                          }
                          errors++;
                        }
                        const len0 = data12.length;
                        for (let i0 = 0; i0 < len0; i0++) {
                          let data13 = data12[i0];
                          if (typeof data13 === "string") {
                            if (func76(data13) > 64) {
                              const err38 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/parameters/" + i0, schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/parameters/items/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                              if (vErrors === null) {
                                vErrors = [err38];
                              } else {
                                vErrors.push(err38);
                              }
                              errors++;
                            }
                          } else {
                            const err39 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/parameters/" + i0, schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/parameters/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err39];
                            } else {
                              vErrors.push(err39);
                            }
                            errors++;
                          }
                        }
                      } else {
                        const err40 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/parameters", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/parameters/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                        if (vErrors === null) {
                          vErrors = [err40];
                        } else {
                          vErrors.push(err40);
                        }
                        errors++;
                      }
                    }
                    if (data9.body !== void 0 && func0.call(data9, "body")) {
                      let data14 = data9.body;
                      if (data14 && typeof data14 == "object" && !Array.isArray(data14)) {
                        for (const key5 of Object.keys(data14)) {
                          let data15 = data14[key5];
                          if (typeof data15 === "string") {
                            if (func76(data15) > 64) {
                              const err41 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/body/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/body/additionalProperties/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                              if (vErrors === null) {
                                vErrors = [err41];
                              } else {
                                vErrors.push(err41);
                              }
                              errors++;
                            }
                          } else {
                            const err42 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/body/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/body/additionalProperties/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err42];
                            } else {
                              vErrors.push(err42);
                            }
                            errors++;
                          }
                        }
                      } else {
                        const err43 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/body", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/body/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                        if (vErrors === null) {
                          vErrors = [err43];
                        } else {
                          vErrors.push(err43);
                        }
                        errors++;
                      }
                    }
                    if (data9.header !== void 0 && func0.call(data9, "header")) {
                      let data16 = data9.header;
                      if (data16 && typeof data16 == "object" && !Array.isArray(data16)) {
                        for (const key6 of Object.keys(data16)) {
                          if (!(key6 === "text" || key6 === "parameter" || key6 === "image" || key6 === "video" || key6 === "document" || key6 === "filename")) {
                            const err44 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/header/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key6 }, message: "must NOT have additional properties" };
                            if (vErrors === null) {
                              vErrors = [err44];
                            } else {
                              vErrors.push(err44);
                            }
                            errors++;
                          }
                        }
                        if (data16.text !== void 0 && func0.call(data16, "text")) {
                          let data17 = data16.text;
                          if (typeof data17 === "string") {
                            if (func76(data17) > 2e3) {
                              const err45 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/text", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/text/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                              if (vErrors === null) {
                                vErrors = [err45];
                              } else {
                                vErrors.push(err45);
                              }
                              errors++;
                            }
                          } else {
                            const err46 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/text", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/text/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err46];
                            } else {
                              vErrors.push(err46);
                            }
                            errors++;
                          }
                        }
                        if (data16.parameter !== void 0 && func0.call(data16, "parameter")) {
                          let data18 = data16.parameter;
                          if (typeof data18 === "string") {
                            if (func76(data18) > 64) {
                              const err47 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/parameter", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/parameter/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                              if (vErrors === null) {
                                vErrors = [err47];
                              } else {
                                vErrors.push(err47);
                              }
                              errors++;
                            }
                          } else {
                            const err48 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/parameter", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/parameter/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err48];
                            } else {
                              vErrors.push(err48);
                            }
                            errors++;
                          }
                        }
                        if (data16.image !== void 0 && func0.call(data16, "image")) {
                          let data19 = data16.image;
                          if (typeof data19 === "string") {
                            if (func76(data19) > 2e3) {
                              const err49 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/image", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/image/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                              if (vErrors === null) {
                                vErrors = [err49];
                              } else {
                                vErrors.push(err49);
                              }
                              errors++;
                            }
                          } else {
                            const err50 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/image", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/image/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err50];
                            } else {
                              vErrors.push(err50);
                            }
                            errors++;
                          }
                        }
                        if (data16.video !== void 0 && func0.call(data16, "video")) {
                          let data20 = data16.video;
                          if (typeof data20 === "string") {
                            if (func76(data20) > 2e3) {
                              const err51 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/video", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/video/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                              if (vErrors === null) {
                                vErrors = [err51];
                              } else {
                                vErrors.push(err51);
                              }
                              errors++;
                            }
                          } else {
                            const err52 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/video", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/video/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err52];
                            } else {
                              vErrors.push(err52);
                            }
                            errors++;
                          }
                        }
                        if (data16.document !== void 0 && func0.call(data16, "document")) {
                          let data21 = data16.document;
                          if (typeof data21 === "string") {
                            if (func76(data21) > 2e3) {
                              const err53 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/document", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/document/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                              if (vErrors === null) {
                                vErrors = [err53];
                              } else {
                                vErrors.push(err53);
                              }
                              errors++;
                            }
                          } else {
                            const err54 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/document", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/document/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err54];
                            } else {
                              vErrors.push(err54);
                            }
                            errors++;
                          }
                        }
                        if (data16.filename !== void 0 && func0.call(data16, "filename")) {
                          let data22 = data16.filename;
                          if (typeof data22 === "string") {
                            if (func76(data22) > 2e3) {
                              const err55 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/filename", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/filename/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                              if (vErrors === null) {
                                vErrors = [err55];
                              } else {
                                vErrors.push(err55);
                              }
                              errors++;
                            }
                          } else {
                            const err56 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header/filename", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/header/properties/filename/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err56];
                            } else {
                              vErrors.push(err56);
                            }
                            errors++;
                          }
                        }
                      } else {
                        const err57 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/header", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/header/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                        if (vErrors === null) {
                          vErrors = [err57];
                        } else {
                          vErrors.push(err57);
                        }
                        errors++;
                      }
                    }
                    if (data9.buttons !== void 0 && func0.call(data9, "buttons")) {
                      let data23 = data9.buttons;
                      if (Array.isArray(data23)) {
                        if (data23.length > 10) {
                          const err58 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/maxItems", keyword: "maxItems", params: { limit: 10 }, message: "must NOT have more than 10 items" };
                          if (vErrors === null) {
                            vErrors = [err58];
                          } else {
                            vErrors.push(err58);
                          }
                          errors++;
                        }
                        const len1 = data23.length;
                        for (let i1 = 0; i1 < len1; i1++) {
                          let data24 = data23[i1];
                          if (data24 && typeof data24 == "object" && !Array.isArray(data24)) {
                            for (const key7 of Object.keys(data24)) {
                              if (!(key7 === "url" || key7 === "quick_reply" || key7 === "copy_code")) {
                                const err59 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i1, schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key7 }, message: "must NOT have additional properties" };
                                if (vErrors === null) {
                                  vErrors = [err59];
                                } else {
                                  vErrors.push(err59);
                                }
                                errors++;
                              }
                            }
                            if (data24.url !== void 0 && func0.call(data24, "url")) {
                              let data25 = data24.url;
                              if (typeof data25 === "string") {
                                if (func76(data25) > 2e3) {
                                  const err60 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i1 + "/url", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/properties/url/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                                  if (vErrors === null) {
                                    vErrors = [err60];
                                  } else {
                                    vErrors.push(err60);
                                  }
                                  errors++;
                                }
                              } else {
                                const err61 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i1 + "/url", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/properties/url/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                if (vErrors === null) {
                                  vErrors = [err61];
                                } else {
                                  vErrors.push(err61);
                                }
                                errors++;
                              }
                            }
                            if (data24.quick_reply !== void 0 && func0.call(data24, "quick_reply")) {
                              let data26 = data24.quick_reply;
                              if (typeof data26 === "string") {
                                if (func76(data26) > 2e3) {
                                  const err62 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i1 + "/quick_reply", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/properties/quick_reply/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                                  if (vErrors === null) {
                                    vErrors = [err62];
                                  } else {
                                    vErrors.push(err62);
                                  }
                                  errors++;
                                }
                              } else {
                                const err63 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i1 + "/quick_reply", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/properties/quick_reply/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                if (vErrors === null) {
                                  vErrors = [err63];
                                } else {
                                  vErrors.push(err63);
                                }
                                errors++;
                              }
                            }
                            if (data24.copy_code !== void 0 && func0.call(data24, "copy_code")) {
                              let data27 = data24.copy_code;
                              if (typeof data27 === "string") {
                                if (func76(data27) > 2e3) {
                                  const err64 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i1 + "/copy_code", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/properties/copy_code/maxLength", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
                                  if (vErrors === null) {
                                    vErrors = [err64];
                                  } else {
                                    vErrors.push(err64);
                                  }
                                  errors++;
                                }
                              } else {
                                const err65 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i1 + "/copy_code", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/properties/copy_code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                if (vErrors === null) {
                                  vErrors = [err65];
                                } else {
                                  vErrors.push(err65);
                                }
                                errors++;
                              }
                            }
                          } else {
                            const err66 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons/" + i1, schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                            if (vErrors === null) {
                              vErrors = [err66];
                            } else {
                              vErrors.push(err66);
                            }
                            errors++;
                          }
                        }
                      } else {
                        const err67 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp/buttons", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/properties/buttons/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                        if (vErrors === null) {
                          vErrors = [err67];
                        } else {
                          vErrors.push(err67);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err68 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/whatsapp", schemaPath: "#/properties/data/properties/locales/additionalProperties/properties/whatsapp/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                    if (vErrors === null) {
                      vErrors = [err68];
                    } else {
                      vErrors.push(err68);
                    }
                    errors++;
                  }
                }
              } else {
                const err69 = { instancePath: instancePath + "/data/locales/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/locales/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                if (vErrors === null) {
                  vErrors = [err69];
                } else {
                  vErrors.push(err69);
                }
                errors++;
              }
            }
          } else {
            const err70 = { instancePath: instancePath + "/data/locales", schemaPath: "#/properties/data/properties/locales/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            if (vErrors === null) {
              vErrors = [err70];
            } else {
              vErrors.push(err70);
            }
            errors++;
          }
        }
        if (data1.variables !== void 0 && func0.call(data1, "variables")) {
          let data28 = data1.variables;
          if (Array.isArray(data28)) {
            if (data28.length > 50) {
              const err71 = { instancePath: instancePath + "/data/variables", schemaPath: "#/properties/data/properties/variables/maxItems", keyword: "maxItems", params: { limit: 50 }, message: "must NOT have more than 50 items" };
              if (vErrors === null) {
                vErrors = [err71];
              } else {
                vErrors.push(err71);
              }
              errors++;
            }
            const len2 = data28.length;
            for (let i2 = 0; i2 < len2; i2++) {
              let data29 = data28[i2];
              if (data29 && typeof data29 == "object" && !Array.isArray(data29)) {
                if (data29.name === void 0 || !func0.call(data29, "name")) {
                  const err72 = { instancePath: instancePath + "/data/variables/" + i2, schemaPath: "#/properties/data/properties/variables/items/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
                  if (vErrors === null) {
                    vErrors = [err72];
                  } else {
                    vErrors.push(err72);
                  }
                  errors++;
                }
                if (data29.kinds === void 0 || !func0.call(data29, "kinds")) {
                  const err73 = { instancePath: instancePath + "/data/variables/" + i2, schemaPath: "#/properties/data/properties/variables/items/required", keyword: "required", params: { missingProperty: "kinds" }, message: "must have required property 'kinds'" };
                  if (vErrors === null) {
                    vErrors = [err73];
                  } else {
                    vErrors.push(err73);
                  }
                  errors++;
                }
                for (const key8 of Object.keys(data29)) {
                  if (!(key8 === "name" || key8 === "kinds")) {
                    const err74 = { instancePath: instancePath + "/data/variables/" + i2, schemaPath: "#/properties/data/properties/variables/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key8 }, message: "must NOT have additional properties" };
                    if (vErrors === null) {
                      vErrors = [err74];
                    } else {
                      vErrors.push(err74);
                    }
                    errors++;
                  }
                }
                if (data29.name !== void 0 && func0.call(data29, "name")) {
                  let data30 = data29.name;
                  if (typeof data30 === "string") {
                    if (func76(data30) > 64) {
                      const err75 = { instancePath: instancePath + "/data/variables/" + i2 + "/name", schemaPath: "#/properties/data/properties/variables/items/properties/name/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                      if (vErrors === null) {
                        vErrors = [err75];
                      } else {
                        vErrors.push(err75);
                      }
                      errors++;
                    }
                    if (!pattern53.test(data30)) {
                      const err76 = { instancePath: instancePath + "/data/variables/" + i2 + "/name", schemaPath: "#/properties/data/properties/variables/items/properties/name/pattern", keyword: "pattern", params: { pattern: "^[a-z][a-z0-9_]*$" }, message: 'must match pattern "^[a-z][a-z0-9_]*$"' };
                      if (vErrors === null) {
                        vErrors = [err76];
                      } else {
                        vErrors.push(err76);
                      }
                      errors++;
                    }
                  } else {
                    const err77 = { instancePath: instancePath + "/data/variables/" + i2 + "/name", schemaPath: "#/properties/data/properties/variables/items/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err77];
                    } else {
                      vErrors.push(err77);
                    }
                    errors++;
                  }
                }
                if (data29.kinds !== void 0 && func0.call(data29, "kinds")) {
                  let data31 = data29.kinds;
                  if (Array.isArray(data31)) {
                    if (data31.length > 8) {
                      const err78 = { instancePath: instancePath + "/data/variables/" + i2 + "/kinds", schemaPath: "#/properties/data/properties/variables/items/properties/kinds/maxItems", keyword: "maxItems", params: { limit: 8 }, message: "must NOT have more than 8 items" };
                      if (vErrors === null) {
                        vErrors = [err78];
                      } else {
                        vErrors.push(err78);
                      }
                      errors++;
                    }
                    const len3 = data31.length;
                    for (let i3 = 0; i3 < len3; i3++) {
                      let data32 = data31[i3];
                      if (typeof data32 !== "string") {
                        const err79 = { instancePath: instancePath + "/data/variables/" + i2 + "/kinds/" + i3, schemaPath: "#/properties/data/properties/variables/items/properties/kinds/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        if (vErrors === null) {
                          vErrors = [err79];
                        } else {
                          vErrors.push(err79);
                        }
                        errors++;
                      }
                      if (!(data32 === "whatsapp" || data32 === "telegram" || data32 === "sms" || data32 === "http" || data32 === "sandbox")) {
                        const err80 = { instancePath: instancePath + "/data/variables/" + i2 + "/kinds/" + i3, schemaPath: "#/properties/data/properties/variables/items/properties/kinds/items/enum", keyword: "enum", params: { allowedValues: schema71.properties.data.properties.variables.items.properties.kinds.items.enum }, message: "must be equal to one of the allowed values" };
                        if (vErrors === null) {
                          vErrors = [err80];
                        } else {
                          vErrors.push(err80);
                        }
                        errors++;
                      }
                    }
                    let i4 = data31.length;
                    let j0;
                    if (i4 > 1) {
                      const indices0 = {};
                      for (; i4--; ) {
                        let item0 = data31[i4];
                        if (typeof item0 !== "string") {
                          continue;
                        }
                        if (typeof indices0[item0] == "number") {
                          j0 = indices0[item0];
                          const err81 = { instancePath: instancePath + "/data/variables/" + i2 + "/kinds", schemaPath: "#/properties/data/properties/variables/items/properties/kinds/uniqueItems", keyword: "uniqueItems", params: { i: i4, j: j0 }, message: "must NOT have duplicate items (items ## " + j0 + " and " + i4 + " are identical)" };
                          if (vErrors === null) {
                            vErrors = [err81];
                          } else {
                            vErrors.push(err81);
                          }
                          errors++;
                          break;
                        }
                        indices0[item0] = i4;
                      }
                    }
                  } else {
                    const err82 = { instancePath: instancePath + "/data/variables/" + i2 + "/kinds", schemaPath: "#/properties/data/properties/variables/items/properties/kinds/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                    if (vErrors === null) {
                      vErrors = [err82];
                    } else {
                      vErrors.push(err82);
                    }
                    errors++;
                  }
                }
              } else {
                const err83 = { instancePath: instancePath + "/data/variables/" + i2, schemaPath: "#/properties/data/properties/variables/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                if (vErrors === null) {
                  vErrors = [err83];
                } else {
                  vErrors.push(err83);
                }
                errors++;
              }
            }
          } else {
            const err84 = { instancePath: instancePath + "/data/variables", schemaPath: "#/properties/data/properties/variables/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            if (vErrors === null) {
              vErrors = [err84];
            } else {
              vErrors.push(err84);
            }
            errors++;
          }
        }
        if (data1.updated_at !== void 0 && func0.call(data1, "updated_at")) {
          let data33 = data1.updated_at;
          if (typeof data33 === "string") {
            if (!formats0.validate(data33)) {
              const err85 = { instancePath: instancePath + "/data/updated_at", schemaPath: "#/properties/data/properties/updated_at/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
              if (vErrors === null) {
                vErrors = [err85];
              } else {
                vErrors.push(err85);
              }
              errors++;
            }
          } else {
            const err86 = { instancePath: instancePath + "/data/updated_at", schemaPath: "#/properties/data/properties/updated_at/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err86];
            } else {
              vErrors.push(err86);
            }
            errors++;
          }
        }
      } else {
        const err87 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err87];
        } else {
          vErrors.push(err87);
        }
        errors++;
      }
    }
  } else {
    const err88 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err88];
    } else {
      vErrors.push(err88);
    }
    errors++;
  }
  validate148.errors = vErrors;
  return errors === 0;
}
exports["getTemplate.200"] = validate149;
function validate149(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate35(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate148(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate148.errors : vErrors.concat(validate148.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate149.errors = vErrors;
  return errors === 0;
}
exports["getTemplate.404.body"] = validate152;
var schema73 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [false] }, "data": { "type": "object", "required": ["code", "message", "trace_id"], "properties": { "code": { "type": "string", "enum": ["template_not_found"] }, "message": { "type": "string" }, "trace_id": { "type": "string", "pattern": "^[0-9a-f]{32}$" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate152(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === false)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema73.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.code === void 0 || !func0.call(data1, "code")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.message === void 0 || !func0.call(data1, "message")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.trace_id === void 0 || !func0.call(data1, "trace_id")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "trace_id" }, message: "must have required property 'trace_id'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "code" || key1 === "message" || key1 === "trace_id")) {
            const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data1.code !== void 0 && func0.call(data1, "code")) {
          let data2 = data1.code;
          if (typeof data2 !== "string") {
            const err9 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
          if (!(data2 === "template_not_found")) {
            const err10 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/enum", keyword: "enum", params: { allowedValues: schema73.properties.data.properties.code.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data1.message !== void 0 && func0.call(data1, "message")) {
          if (typeof data1.message !== "string") {
            const err11 = { instancePath: instancePath + "/data/message", schemaPath: "#/properties/data/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.trace_id !== void 0 && func0.call(data1, "trace_id")) {
          let data4 = data1.trace_id;
          if (typeof data4 === "string") {
            if (!pattern0.test(data4)) {
              const err12 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
          } else {
            const err13 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
      } else {
        const err14 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
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
  validate152.errors = vErrors;
  return errors === 0;
}
exports["getTemplate.404"] = validate153;
function validate153(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate35(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate152(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate152.errors : vErrors.concat(validate152.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate153.errors = vErrors;
  return errors === 0;
}
exports["putTemplate.200.body"] = validate156;
var schema75 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [true] }, "data": { "type": "object", "required": ["slug", "version", "result", "warnings"], "properties": { "slug": { "type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[a-z0-9][a-z0-9_-]*$" }, "version": { "type": "integer", "minimum": 1, "maximum": 2147483647 }, "result": { "type": "string", "enum": ["created", "changed", "unchanged"] }, "warnings": { "type": "array", "maxItems": 50, "items": { "type": "object", "required": ["field", "message"], "properties": { "field": { "type": "string", "maxLength": 100 }, "message": { "type": "string" } }, "additionalProperties": false } } }, "additionalProperties": false } }, "additionalProperties": false };
function validate156(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === true)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema75.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.slug === void 0 || !func0.call(data1, "slug")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "slug" }, message: "must have required property 'slug'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.version === void 0 || !func0.call(data1, "version")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "version" }, message: "must have required property 'version'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.result === void 0 || !func0.call(data1, "result")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "result" }, message: "must have required property 'result'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        if (data1.warnings === void 0 || !func0.call(data1, "warnings")) {
          const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "warnings" }, message: "must have required property 'warnings'" };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "slug" || key1 === "version" || key1 === "result" || key1 === "warnings")) {
            const err9 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
        }
        if (data1.slug !== void 0 && func0.call(data1, "slug")) {
          let data2 = data1.slug;
          if (typeof data2 === "string") {
            if (func76(data2) > 64) {
              const err10 = { instancePath: instancePath + "/data/slug", schemaPath: "#/properties/data/properties/slug/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              if (vErrors === null) {
                vErrors = [err10];
              } else {
                vErrors.push(err10);
              }
              errors++;
            }
            if (func76(data2) < 1) {
              const err11 = { instancePath: instancePath + "/data/slug", schemaPath: "#/properties/data/properties/slug/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err11];
              } else {
                vErrors.push(err11);
              }
              errors++;
            }
            if (!pattern52.test(data2)) {
              const err12 = { instancePath: instancePath + "/data/slug", schemaPath: "#/properties/data/properties/slug/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9][a-z0-9_-]*$" }, message: 'must match pattern "^[a-z0-9][a-z0-9_-]*$"' };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
          } else {
            const err13 = { instancePath: instancePath + "/data/slug", schemaPath: "#/properties/data/properties/slug/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
        if (data1.version !== void 0 && func0.call(data1, "version")) {
          let data3 = data1.version;
          if (!(typeof data3 == "number" && (!(data3 % 1) && !isNaN(data3)) && isFinite(data3))) {
            const err14 = { instancePath: instancePath + "/data/version", schemaPath: "#/properties/data/properties/version/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            if (vErrors === null) {
              vErrors = [err14];
            } else {
              vErrors.push(err14);
            }
            errors++;
          }
          if (typeof data3 == "number" && isFinite(data3)) {
            if (data3 > 2147483647 || isNaN(data3)) {
              const err15 = { instancePath: instancePath + "/data/version", schemaPath: "#/properties/data/properties/version/maximum", keyword: "maximum", params: { comparison: "<=", limit: 2147483647 }, message: "must be <= 2147483647" };
              if (vErrors === null) {
                vErrors = [err15];
              } else {
                vErrors.push(err15);
              }
              errors++;
            }
            if (data3 < 1 || isNaN(data3)) {
              const err16 = { instancePath: instancePath + "/data/version", schemaPath: "#/properties/data/properties/version/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              if (vErrors === null) {
                vErrors = [err16];
              } else {
                vErrors.push(err16);
              }
              errors++;
            }
          }
        }
        if (data1.result !== void 0 && func0.call(data1, "result")) {
          let data4 = data1.result;
          if (typeof data4 !== "string") {
            const err17 = { instancePath: instancePath + "/data/result", schemaPath: "#/properties/data/properties/result/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err17];
            } else {
              vErrors.push(err17);
            }
            errors++;
          }
          if (!(data4 === "created" || data4 === "changed" || data4 === "unchanged")) {
            const err18 = { instancePath: instancePath + "/data/result", schemaPath: "#/properties/data/properties/result/enum", keyword: "enum", params: { allowedValues: schema75.properties.data.properties.result.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err18];
            } else {
              vErrors.push(err18);
            }
            errors++;
          }
        }
        if (data1.warnings !== void 0 && func0.call(data1, "warnings")) {
          let data5 = data1.warnings;
          if (Array.isArray(data5)) {
            if (data5.length > 50) {
              const err19 = { instancePath: instancePath + "/data/warnings", schemaPath: "#/properties/data/properties/warnings/maxItems", keyword: "maxItems", params: { limit: 50 }, message: "must NOT have more than 50 items" };
              if (vErrors === null) {
                vErrors = [err19];
              } else {
                vErrors.push(err19);
              }
              errors++;
            }
            const len0 = data5.length;
            for (let i0 = 0; i0 < len0; i0++) {
              let data6 = data5[i0];
              if (data6 && typeof data6 == "object" && !Array.isArray(data6)) {
                if (data6.field === void 0 || !func0.call(data6, "field")) {
                  const err20 = { instancePath: instancePath + "/data/warnings/" + i0, schemaPath: "#/properties/data/properties/warnings/items/required", keyword: "required", params: { missingProperty: "field" }, message: "must have required property 'field'" };
                  if (vErrors === null) {
                    vErrors = [err20];
                  } else {
                    vErrors.push(err20);
                  }
                  errors++;
                }
                if (data6.message === void 0 || !func0.call(data6, "message")) {
                  const err21 = { instancePath: instancePath + "/data/warnings/" + i0, schemaPath: "#/properties/data/properties/warnings/items/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
                  if (vErrors === null) {
                    vErrors = [err21];
                  } else {
                    vErrors.push(err21);
                  }
                  errors++;
                }
                for (const key2 of Object.keys(data6)) {
                  if (!(key2 === "field" || key2 === "message")) {
                    const err22 = { instancePath: instancePath + "/data/warnings/" + i0, schemaPath: "#/properties/data/properties/warnings/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
                    if (vErrors === null) {
                      vErrors = [err22];
                    } else {
                      vErrors.push(err22);
                    }
                    errors++;
                  }
                }
                if (data6.field !== void 0 && func0.call(data6, "field")) {
                  let data7 = data6.field;
                  if (typeof data7 === "string") {
                    if (func76(data7) > 100) {
                      const err23 = { instancePath: instancePath + "/data/warnings/" + i0 + "/field", schemaPath: "#/properties/data/properties/warnings/items/properties/field/maxLength", keyword: "maxLength", params: { limit: 100 }, message: "must NOT have more than 100 characters" };
                      if (vErrors === null) {
                        vErrors = [err23];
                      } else {
                        vErrors.push(err23);
                      }
                      errors++;
                    }
                  } else {
                    const err24 = { instancePath: instancePath + "/data/warnings/" + i0 + "/field", schemaPath: "#/properties/data/properties/warnings/items/properties/field/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err24];
                    } else {
                      vErrors.push(err24);
                    }
                    errors++;
                  }
                }
                if (data6.message !== void 0 && func0.call(data6, "message")) {
                  if (typeof data6.message !== "string") {
                    const err25 = { instancePath: instancePath + "/data/warnings/" + i0 + "/message", schemaPath: "#/properties/data/properties/warnings/items/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err25];
                    } else {
                      vErrors.push(err25);
                    }
                    errors++;
                  }
                }
              } else {
                const err26 = { instancePath: instancePath + "/data/warnings/" + i0, schemaPath: "#/properties/data/properties/warnings/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                if (vErrors === null) {
                  vErrors = [err26];
                } else {
                  vErrors.push(err26);
                }
                errors++;
              }
            }
          } else {
            const err27 = { instancePath: instancePath + "/data/warnings", schemaPath: "#/properties/data/properties/warnings/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            if (vErrors === null) {
              vErrors = [err27];
            } else {
              vErrors.push(err27);
            }
            errors++;
          }
        }
      } else {
        const err28 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err28];
        } else {
          vErrors.push(err28);
        }
        errors++;
      }
    }
  } else {
    const err29 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err29];
    } else {
      vErrors.push(err29);
    }
    errors++;
  }
  validate156.errors = vErrors;
  return errors === 0;
}
exports["putTemplate.200"] = validate157;
function validate157(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate35(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate156(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate156.errors : vErrors.concat(validate156.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate157.errors = vErrors;
  return errors === 0;
}
exports["deleteTemplate.200.body"] = validate160;
var schema77 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [true] }, "data": { "type": "object", "required": ["slug", "version"], "properties": { "slug": { "type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[a-z0-9][a-z0-9_-]*$" }, "version": { "type": "integer", "minimum": 1, "maximum": 2147483647 } }, "additionalProperties": false } }, "additionalProperties": false };
function validate160(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === true)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema77.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.slug === void 0 || !func0.call(data1, "slug")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "slug" }, message: "must have required property 'slug'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.version === void 0 || !func0.call(data1, "version")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "version" }, message: "must have required property 'version'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "slug" || key1 === "version")) {
            const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err7];
            } else {
              vErrors.push(err7);
            }
            errors++;
          }
        }
        if (data1.slug !== void 0 && func0.call(data1, "slug")) {
          let data2 = data1.slug;
          if (typeof data2 === "string") {
            if (func76(data2) > 64) {
              const err8 = { instancePath: instancePath + "/data/slug", schemaPath: "#/properties/data/properties/slug/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              if (vErrors === null) {
                vErrors = [err8];
              } else {
                vErrors.push(err8);
              }
              errors++;
            }
            if (func76(data2) < 1) {
              const err9 = { instancePath: instancePath + "/data/slug", schemaPath: "#/properties/data/properties/slug/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err9];
              } else {
                vErrors.push(err9);
              }
              errors++;
            }
            if (!pattern52.test(data2)) {
              const err10 = { instancePath: instancePath + "/data/slug", schemaPath: "#/properties/data/properties/slug/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9][a-z0-9_-]*$" }, message: 'must match pattern "^[a-z0-9][a-z0-9_-]*$"' };
              if (vErrors === null) {
                vErrors = [err10];
              } else {
                vErrors.push(err10);
              }
              errors++;
            }
          } else {
            const err11 = { instancePath: instancePath + "/data/slug", schemaPath: "#/properties/data/properties/slug/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.version !== void 0 && func0.call(data1, "version")) {
          let data3 = data1.version;
          if (!(typeof data3 == "number" && (!(data3 % 1) && !isNaN(data3)) && isFinite(data3))) {
            const err12 = { instancePath: instancePath + "/data/version", schemaPath: "#/properties/data/properties/version/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            if (vErrors === null) {
              vErrors = [err12];
            } else {
              vErrors.push(err12);
            }
            errors++;
          }
          if (typeof data3 == "number" && isFinite(data3)) {
            if (data3 > 2147483647 || isNaN(data3)) {
              const err13 = { instancePath: instancePath + "/data/version", schemaPath: "#/properties/data/properties/version/maximum", keyword: "maximum", params: { comparison: "<=", limit: 2147483647 }, message: "must be <= 2147483647" };
              if (vErrors === null) {
                vErrors = [err13];
              } else {
                vErrors.push(err13);
              }
              errors++;
            }
            if (data3 < 1 || isNaN(data3)) {
              const err14 = { instancePath: instancePath + "/data/version", schemaPath: "#/properties/data/properties/version/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              if (vErrors === null) {
                vErrors = [err14];
              } else {
                vErrors.push(err14);
              }
              errors++;
            }
          }
        }
      } else {
        const err15 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err15];
        } else {
          vErrors.push(err15);
        }
        errors++;
      }
    }
  } else {
    const err16 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err16];
    } else {
      vErrors.push(err16);
    }
    errors++;
  }
  validate160.errors = vErrors;
  return errors === 0;
}
exports["deleteTemplate.200"] = validate161;
function validate161(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate35(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate160(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate160.errors : vErrors.concat(validate160.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate161.errors = vErrors;
  return errors === 0;
}
exports["addOptOut.200.body"] = validate164;
var schema79 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [true] }, "data": { "type": "object", "required": ["opted_out"], "properties": { "opted_out": { "type": "boolean" }, "category": { "type": "string", "enum": ["all", "marketing"] }, "source": { "type": "string", "enum": ["provider", "reply", "api", "operator", "person", "import"] }, "since": { "type": "string", "format": "date-time" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate164(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === true)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema79.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.opted_out === void 0 || !func0.call(data1, "opted_out")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "opted_out" }, message: "must have required property 'opted_out'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "opted_out" || key1 === "category" || key1 === "source" || key1 === "since")) {
            const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err6];
            } else {
              vErrors.push(err6);
            }
            errors++;
          }
        }
        if (data1.opted_out !== void 0 && func0.call(data1, "opted_out")) {
          if (typeof data1.opted_out !== "boolean") {
            const err7 = { instancePath: instancePath + "/data/opted_out", schemaPath: "#/properties/data/properties/opted_out/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
            if (vErrors === null) {
              vErrors = [err7];
            } else {
              vErrors.push(err7);
            }
            errors++;
          }
        }
        if (data1.category !== void 0 && func0.call(data1, "category")) {
          let data3 = data1.category;
          if (typeof data3 !== "string") {
            const err8 = { instancePath: instancePath + "/data/category", schemaPath: "#/properties/data/properties/category/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
          if (!(data3 === "all" || data3 === "marketing")) {
            const err9 = { instancePath: instancePath + "/data/category", schemaPath: "#/properties/data/properties/category/enum", keyword: "enum", params: { allowedValues: schema79.properties.data.properties.category.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
        }
        if (data1.source !== void 0 && func0.call(data1, "source")) {
          let data4 = data1.source;
          if (typeof data4 !== "string") {
            const err10 = { instancePath: instancePath + "/data/source", schemaPath: "#/properties/data/properties/source/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
          if (!(data4 === "provider" || data4 === "reply" || data4 === "api" || data4 === "operator" || data4 === "person" || data4 === "import")) {
            const err11 = { instancePath: instancePath + "/data/source", schemaPath: "#/properties/data/properties/source/enum", keyword: "enum", params: { allowedValues: schema79.properties.data.properties.source.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.since !== void 0 && func0.call(data1, "since")) {
          let data5 = data1.since;
          if (typeof data5 === "string") {
            if (!formats0.validate(data5)) {
              const err12 = { instancePath: instancePath + "/data/since", schemaPath: "#/properties/data/properties/since/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
          } else {
            const err13 = { instancePath: instancePath + "/data/since", schemaPath: "#/properties/data/properties/since/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
      } else {
        const err14 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
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
  validate164.errors = vErrors;
  return errors === 0;
}
exports["addOptOut.200"] = validate165;
function validate165(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate21(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate164(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate164.errors : vErrors.concat(validate164.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate165.errors = vErrors;
  return errors === 0;
}
exports["addOptOut.400"] = validate168;
function validate168(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.headers === void 0 || !func0.call(data, "headers")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.headers !== void 0 && func0.call(data, "headers")) {
      if (!validate35(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate26(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate26.errors : vErrors.concat(validate26.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate168.errors = vErrors;
  return errors === 0;
}
exports["errorResponse.body"] = validate171;
var schema82 = { "type": "object", "required": ["success", "data"], "properties": { "success": { "type": "boolean", "enum": [false] }, "data": { "type": "object", "required": ["code", "message", "trace_id"], "properties": { "code": { "type": "string", "enum": ["invalid_json", "invalid_request", "invalid_phone", "unknown_template", "invalid_variables", "missing_api_key", "invalid_api_key", "revoked_api_key", "expired_api_key", "insufficient_scope", "country_not_allowed", "no_channel", "send_blocked", "challenge_required", "budget_spent", "opted_out", "message_not_found", "verification_not_found", "template_not_found", "route_not_found", "method_not_allowed", "idempotency_key_reused", "idempotency_in_progress", "body_too_large", "unsupported_media_type", "resend_cooldown", "send_limit_reached", "check_limit_reached", "rate_limited", "internal_error", "service_unavailable"] }, "message": { "type": "string" }, "details": { "type": "array", "minItems": 1, "maxItems": 20, "items": { "type": "object", "required": ["field", "code", "message"], "properties": { "field": { "type": "string", "maxLength": 100 }, "code": { "type": "string", "enum": ["missing", "unknown", "wrong_type", "wrong_format", "too_short", "too_long", "too_small", "too_large", "too_many", "repeated", "excluded", "blocked", "challenged", "spent"] }, "message": { "type": "string" } }, "additionalProperties": false } }, "retry_after": { "type": "integer", "minimum": 1 }, "trace_id": { "type": "string", "pattern": "^[0-9a-f]{32}$" } }, "additionalProperties": false } }, "additionalProperties": false };
function validate171(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success === void 0 || !func0.call(data, "success")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "success" }, message: "must have required property 'success'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.data === void 0 || !func0.call(data, "data")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "data" }, message: "must have required property 'data'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "success" || key0 === "data")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.success !== void 0 && func0.call(data, "success")) {
      let data0 = data.success;
      if (typeof data0 !== "boolean") {
        const err3 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === false)) {
        const err4 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/enum", keyword: "enum", params: { allowedValues: schema82.properties.success.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.data !== void 0 && func0.call(data, "data")) {
      let data1 = data.data;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.code === void 0 || !func0.call(data1, "code")) {
          const err5 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1.message === void 0 || !func0.call(data1, "message")) {
          const err6 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (data1.trace_id === void 0 || !func0.call(data1, "trace_id")) {
          const err7 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/required", keyword: "required", params: { missingProperty: "trace_id" }, message: "must have required property 'trace_id'" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "code" || key1 === "message" || key1 === "details" || key1 === "retry_after" || key1 === "trace_id")) {
            const err8 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data1.code !== void 0 && func0.call(data1, "code")) {
          let data2 = data1.code;
          if (typeof data2 !== "string") {
            const err9 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
          if (!(data2 === "invalid_json" || data2 === "invalid_request" || data2 === "invalid_phone" || data2 === "unknown_template" || data2 === "invalid_variables" || data2 === "missing_api_key" || data2 === "invalid_api_key" || data2 === "revoked_api_key" || data2 === "expired_api_key" || data2 === "insufficient_scope" || data2 === "country_not_allowed" || data2 === "no_channel" || data2 === "send_blocked" || data2 === "challenge_required" || data2 === "budget_spent" || data2 === "opted_out" || data2 === "message_not_found" || data2 === "verification_not_found" || data2 === "template_not_found" || data2 === "route_not_found" || data2 === "method_not_allowed" || data2 === "idempotency_key_reused" || data2 === "idempotency_in_progress" || data2 === "body_too_large" || data2 === "unsupported_media_type" || data2 === "resend_cooldown" || data2 === "send_limit_reached" || data2 === "check_limit_reached" || data2 === "rate_limited" || data2 === "internal_error" || data2 === "service_unavailable")) {
            const err10 = { instancePath: instancePath + "/data/code", schemaPath: "#/properties/data/properties/code/enum", keyword: "enum", params: { allowedValues: schema82.properties.data.properties.code.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data1.message !== void 0 && func0.call(data1, "message")) {
          if (typeof data1.message !== "string") {
            const err11 = { instancePath: instancePath + "/data/message", schemaPath: "#/properties/data/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data1.details !== void 0 && func0.call(data1, "details")) {
          let data4 = data1.details;
          if (Array.isArray(data4)) {
            if (data4.length > 20) {
              const err12 = { instancePath: instancePath + "/data/details", schemaPath: "#/properties/data/properties/details/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
            if (data4.length < 1) {
              const err13 = { instancePath: instancePath + "/data/details", schemaPath: "#/properties/data/properties/details/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
              if (vErrors === null) {
                vErrors = [err13];
              } else {
                vErrors.push(err13);
              }
              errors++;
            }
            const len0 = data4.length;
            for (let i0 = 0; i0 < len0; i0++) {
              let data5 = data4[i0];
              if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
                if (data5.field === void 0 || !func0.call(data5, "field")) {
                  const err14 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/required", keyword: "required", params: { missingProperty: "field" }, message: "must have required property 'field'" };
                  if (vErrors === null) {
                    vErrors = [err14];
                  } else {
                    vErrors.push(err14);
                  }
                  errors++;
                }
                if (data5.code === void 0 || !func0.call(data5, "code")) {
                  const err15 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
                  if (vErrors === null) {
                    vErrors = [err15];
                  } else {
                    vErrors.push(err15);
                  }
                  errors++;
                }
                if (data5.message === void 0 || !func0.call(data5, "message")) {
                  const err16 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
                  if (vErrors === null) {
                    vErrors = [err16];
                  } else {
                    vErrors.push(err16);
                  }
                  errors++;
                }
                for (const key2 of Object.keys(data5)) {
                  if (!(key2 === "field" || key2 === "code" || key2 === "message")) {
                    const err17 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
                    if (vErrors === null) {
                      vErrors = [err17];
                    } else {
                      vErrors.push(err17);
                    }
                    errors++;
                  }
                }
                if (data5.field !== void 0 && func0.call(data5, "field")) {
                  let data6 = data5.field;
                  if (typeof data6 === "string") {
                    if (func76(data6) > 100) {
                      const err18 = { instancePath: instancePath + "/data/details/" + i0 + "/field", schemaPath: "#/properties/data/properties/details/items/properties/field/maxLength", keyword: "maxLength", params: { limit: 100 }, message: "must NOT have more than 100 characters" };
                      if (vErrors === null) {
                        vErrors = [err18];
                      } else {
                        vErrors.push(err18);
                      }
                      errors++;
                    }
                  } else {
                    const err19 = { instancePath: instancePath + "/data/details/" + i0 + "/field", schemaPath: "#/properties/data/properties/details/items/properties/field/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err19];
                    } else {
                      vErrors.push(err19);
                    }
                    errors++;
                  }
                }
                if (data5.code !== void 0 && func0.call(data5, "code")) {
                  let data7 = data5.code;
                  if (typeof data7 !== "string") {
                    const err20 = { instancePath: instancePath + "/data/details/" + i0 + "/code", schemaPath: "#/properties/data/properties/details/items/properties/code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err20];
                    } else {
                      vErrors.push(err20);
                    }
                    errors++;
                  }
                  if (!(data7 === "missing" || data7 === "unknown" || data7 === "wrong_type" || data7 === "wrong_format" || data7 === "too_short" || data7 === "too_long" || data7 === "too_small" || data7 === "too_large" || data7 === "too_many" || data7 === "repeated" || data7 === "excluded" || data7 === "blocked" || data7 === "challenged" || data7 === "spent")) {
                    const err21 = { instancePath: instancePath + "/data/details/" + i0 + "/code", schemaPath: "#/properties/data/properties/details/items/properties/code/enum", keyword: "enum", params: { allowedValues: schema82.properties.data.properties.details.items.properties.code.enum }, message: "must be equal to one of the allowed values" };
                    if (vErrors === null) {
                      vErrors = [err21];
                    } else {
                      vErrors.push(err21);
                    }
                    errors++;
                  }
                }
                if (data5.message !== void 0 && func0.call(data5, "message")) {
                  if (typeof data5.message !== "string") {
                    const err22 = { instancePath: instancePath + "/data/details/" + i0 + "/message", schemaPath: "#/properties/data/properties/details/items/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err22];
                    } else {
                      vErrors.push(err22);
                    }
                    errors++;
                  }
                }
              } else {
                const err23 = { instancePath: instancePath + "/data/details/" + i0, schemaPath: "#/properties/data/properties/details/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                if (vErrors === null) {
                  vErrors = [err23];
                } else {
                  vErrors.push(err23);
                }
                errors++;
              }
            }
          } else {
            const err24 = { instancePath: instancePath + "/data/details", schemaPath: "#/properties/data/properties/details/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            if (vErrors === null) {
              vErrors = [err24];
            } else {
              vErrors.push(err24);
            }
            errors++;
          }
        }
        if (data1.retry_after !== void 0 && func0.call(data1, "retry_after")) {
          let data9 = data1.retry_after;
          if (!(typeof data9 == "number" && (!(data9 % 1) && !isNaN(data9)) && isFinite(data9))) {
            const err25 = { instancePath: instancePath + "/data/retry_after", schemaPath: "#/properties/data/properties/retry_after/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            if (vErrors === null) {
              vErrors = [err25];
            } else {
              vErrors.push(err25);
            }
            errors++;
          }
          if (typeof data9 == "number" && isFinite(data9)) {
            if (data9 < 1 || isNaN(data9)) {
              const err26 = { instancePath: instancePath + "/data/retry_after", schemaPath: "#/properties/data/properties/retry_after/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              if (vErrors === null) {
                vErrors = [err26];
              } else {
                vErrors.push(err26);
              }
              errors++;
            }
          }
        }
        if (data1.trace_id !== void 0 && func0.call(data1, "trace_id")) {
          let data10 = data1.trace_id;
          if (typeof data10 === "string") {
            if (!pattern0.test(data10)) {
              const err27 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{32}$" }, message: 'must match pattern "^[0-9a-f]{32}$"' };
              if (vErrors === null) {
                vErrors = [err27];
              } else {
                vErrors.push(err27);
              }
              errors++;
            }
          } else {
            const err28 = { instancePath: instancePath + "/data/trace_id", schemaPath: "#/properties/data/properties/trace_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err28];
            } else {
              vErrors.push(err28);
            }
            errors++;
          }
        }
      } else {
        const err29 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err29];
        } else {
          vErrors.push(err29);
        }
        errors++;
      }
    }
  } else {
    const err30 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err30];
    } else {
      vErrors.push(err30);
    }
    errors++;
  }
  validate171.errors = vErrors;
  return errors === 0;
}
exports.errorResponse = validate172;
function validate172(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.body === void 0 || !func0.call(data, "body")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" }, message: "must have required property 'body'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate171(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate171.errors : vErrors.concat(validate171.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err1 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err1];
    } else {
      vErrors.push(err1);
    }
    errors++;
  }
  validate172.errors = vErrors;
  return errors === 0;
}
var replies = {
  sendVerification: {
    200: exports["sendVerification.200"],
    400: exports["sendVerification.400"],
    401: exports["sendVerification.401"],
    403: exports["sendVerification.403"],
    409: exports["sendVerification.409"],
    413: exports["sendVerification.413"],
    415: exports["sendVerification.415"],
    429: exports["sendVerification.429"],
    500: exports["sendVerification.500"],
    503: exports["sendVerification.503"]
  },
  checkVerification: {
    200: exports["checkVerification.200"],
    400: exports["checkVerification.400"],
    401: exports["sendVerification.401"],
    403: exports["checkVerification.403"],
    404: exports["checkVerification.404"],
    409: exports["sendVerification.409"],
    413: exports["sendVerification.413"],
    415: exports["sendVerification.415"],
    429: exports["checkVerification.429"],
    500: exports["sendVerification.500"],
    503: exports["sendVerification.503"]
  },
  checkVerificationByPhone: {
    200: exports["checkVerificationByPhone.200"],
    400: exports["checkVerification.400"],
    401: exports["sendVerification.401"],
    403: exports["checkVerification.403"],
    404: exports["checkVerification.404"],
    409: exports["sendVerification.409"],
    413: exports["sendVerification.413"],
    415: exports["sendVerification.415"],
    429: exports["checkVerification.429"],
    500: exports["sendVerification.500"],
    503: exports["sendVerification.503"]
  },
  confirmVerification: {
    200: exports["confirmVerification.200"],
    400: exports["checkVerification.400"],
    401: exports["sendVerification.401"],
    403: exports["checkVerification.403"],
    404: exports["checkVerification.404"],
    409: exports["sendVerification.409"],
    413: exports["sendVerification.413"],
    415: exports["sendVerification.415"],
    429: exports["checkVerification.429"],
    500: exports["sendVerification.500"],
    503: exports["sendVerification.503"]
  },
  cancelVerification: {
    200: exports["cancelVerification.200"],
    400: exports["checkVerification.400"],
    401: exports["sendVerification.401"],
    403: exports["checkVerification.403"],
    404: exports["checkVerification.404"],
    409: exports["sendVerification.409"],
    413: exports["sendVerification.413"],
    415: exports["sendVerification.415"],
    429: exports["cancelVerification.429"],
    500: exports["sendVerification.500"],
    503: exports["sendVerification.503"]
  },
  listMessages: {
    200: exports["listMessages.200"],
    400: exports["listMessages.400"],
    401: exports["sendVerification.401"],
    403: exports["checkVerification.403"],
    429: exports["cancelVerification.429"],
    500: exports["sendVerification.500"],
    503: exports["sendVerification.503"]
  },
  getMessage: {
    200: exports["getMessage.200"],
    400: exports["listMessages.400"],
    401: exports["sendVerification.401"],
    403: exports["checkVerification.403"],
    404: exports["getMessage.404"],
    429: exports["cancelVerification.429"],
    500: exports["sendVerification.500"],
    503: exports["sendVerification.503"]
  },
  sendNotification: {
    200: exports["sendNotification.200"],
    400: exports["sendNotification.400"],
    401: exports["sendVerification.401"],
    403: exports["sendNotification.403"],
    409: exports["sendVerification.409"],
    413: exports["sendVerification.413"],
    415: exports["sendVerification.415"],
    429: exports["sendNotification.429"],
    500: exports["sendVerification.500"],
    503: exports["sendVerification.503"]
  },
  cancelNotification: {
    200: exports["cancelNotification.200"],
    400: exports["checkVerification.400"],
    401: exports["sendVerification.401"],
    403: exports["checkVerification.403"],
    404: exports["cancelNotification.404"],
    409: exports["sendVerification.409"],
    413: exports["sendVerification.413"],
    415: exports["sendVerification.415"],
    429: exports["cancelVerification.429"],
    500: exports["sendVerification.500"],
    503: exports["sendVerification.503"]
  },
  previewNotification: {
    200: exports["previewNotification.200"],
    400: exports["sendNotification.400"],
    401: exports["sendVerification.401"],
    403: exports["checkVerification.403"],
    409: exports["sendVerification.409"],
    413: exports["sendVerification.413"],
    415: exports["sendVerification.415"],
    429: exports["cancelVerification.429"],
    500: exports["sendVerification.500"],
    503: exports["sendVerification.503"]
  },
  listTemplates: {
    200: exports["listTemplates.200"],
    400: exports["listMessages.400"],
    401: exports["sendVerification.401"],
    403: exports["checkVerification.403"],
    429: exports["cancelVerification.429"],
    500: exports["sendVerification.500"],
    503: exports["sendVerification.503"]
  },
  getTemplate: {
    200: exports["getTemplate.200"],
    400: exports["listMessages.400"],
    401: exports["sendVerification.401"],
    403: exports["checkVerification.403"],
    404: exports["getTemplate.404"],
    429: exports["cancelVerification.429"],
    500: exports["sendVerification.500"],
    503: exports["sendVerification.503"]
  },
  putTemplate: {
    200: exports["putTemplate.200"],
    400: exports["checkVerification.400"],
    401: exports["sendVerification.401"],
    403: exports["checkVerification.403"],
    413: exports["sendVerification.413"],
    415: exports["sendVerification.415"],
    429: exports["cancelVerification.429"],
    500: exports["sendVerification.500"],
    503: exports["sendVerification.503"]
  },
  deleteTemplate: {
    200: exports["deleteTemplate.200"],
    400: exports["listMessages.400"],
    401: exports["sendVerification.401"],
    403: exports["checkVerification.403"],
    404: exports["getTemplate.404"],
    429: exports["cancelVerification.429"],
    500: exports["sendVerification.500"],
    503: exports["sendVerification.503"]
  },
  addOptOut: {
    200: exports["addOptOut.200"],
    400: exports["addOptOut.400"],
    401: exports["sendVerification.401"],
    403: exports["checkVerification.403"],
    409: exports["sendVerification.409"],
    413: exports["sendVerification.413"],
    415: exports["sendVerification.415"],
    429: exports["cancelVerification.429"],
    500: exports["sendVerification.500"],
    503: exports["sendVerification.503"]
  },
  removeOptOut: {
    200: exports["addOptOut.200"],
    400: exports["addOptOut.400"],
    401: exports["sendVerification.401"],
    403: exports["checkVerification.403"],
    409: exports["sendVerification.409"],
    413: exports["sendVerification.413"],
    415: exports["sendVerification.415"],
    429: exports["cancelVerification.429"],
    500: exports["sendVerification.500"],
    503: exports["sendVerification.503"]
  },
  findOptOut: {
    200: exports["addOptOut.200"],
    400: exports["addOptOut.400"],
    401: exports["sendVerification.401"],
    403: exports["checkVerification.403"],
    409: exports["sendVerification.409"],
    413: exports["sendVerification.413"],
    415: exports["sendVerification.415"],
    429: exports["cancelVerification.429"],
    500: exports["sendVerification.500"],
    503: exports["sendVerification.503"]
  }
};
var errorResponse = exports["errorResponse"];
export {
  errorResponse,
  replies
};
