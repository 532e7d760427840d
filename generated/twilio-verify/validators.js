// Made from twilio-verify.yaml by `npm run generate`. Do not edit.
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

// <stdin>
var fetchService = validate10;
var func0 = Object.prototype.hasOwnProperty;
var func49 = require_ucs2length().default;
function validate10(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
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
        if (data0.ServiceSid === void 0 || !func0.call(data0, "ServiceSid")) {
          const err1 = { instancePath: instancePath + "/path", schemaPath: "#/properties/path/required", keyword: "required", params: { missingProperty: "ServiceSid" }, message: "must have required property 'ServiceSid'" };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
        if (data0.ServiceSid !== void 0 && func0.call(data0, "ServiceSid")) {
          let data1 = data0.ServiceSid;
          if (typeof data1 === "string") {
            if (func49(data1) > 64) {
              const err2 = { instancePath: instancePath + "/path/ServiceSid", schemaPath: "#/properties/path/properties/ServiceSid/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              if (vErrors === null) {
                vErrors = [err2];
              } else {
                vErrors.push(err2);
              }
              errors++;
            }
          } else {
            const err3 = { instancePath: instancePath + "/path/ServiceSid", schemaPath: "#/properties/path/properties/ServiceSid/type", keyword: "type", params: { type: "string" }, message: "must be string" };
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
  validate10.errors = vErrors;
  return errors === 0;
}
var createVerification = validate11;
var schema12 = { "type": "object", "properties": { "path": { "type": "object", "properties": { "ServiceSid": { "type": "string", "maxLength": 64 } }, "required": ["ServiceSid"] }, "header": { "type": "object", "properties": { "Idempotency-Key": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$", "x-pattern-words": "must have nothing but ASCII characters that can be seen, and no spaces" } }, "required": [] }, "requestBody": { "type": "object", "additionalProperties": false, "required": ["To", "Channel"], "properties": { "To": { "type": "string", "description": "A phone number with its country code, as people write it: `+14155550100` or `+1 (415) 555-0100`. Responses have\nit in E.164 form.\n", "minLength": 1, "maxLength": 200, "example": "+14155550100" }, "Channel": { "type": "string", "description": "The channel of a message. A code is sent only through connections of the kinds that `x-kinds` lists for it.\n\n* `sms`: an SMS.\n* `whatsapp`: WhatsApp.\n* `auto`: the account's connections, in their order. In a response: a channel that is none of the others.\n", "enum": ["sms", "whatsapp", "auto"], "x-kinds": { "sms": ["sms", "http", "sandbox"], "whatsapp": ["whatsapp", "http", "sandbox"] }, "example": "sms" }, "CustomFriendlyName": { "type": "string", "description": "The name of your application, as `brand_name` in `openapi.yaml`.", "minLength": 1, "maxLength": 30, "x-pattern-words": "must be a name of letters, digits, spaces and - _ . & ', with a letter or digit, at most 4 digits, and nothing that reads as a URL", "example": "Acme", "pattern": "^(?!(?:[^0-9]*[0-9]){5})(?!.*[\\p{L}\\p{M}0-9]\\.\\p{M}*\\p{L}\\p{M}*\\p{L})(?!.*[0-9]\\.[0-9]+\\.[0-9])(?=.*[\\p{L}0-9]|$)[\\p{L}\\p{M}0-9 _.&'\u2019-]*$" }, "Locale": { "type": "string", "description": "The language of the message, as `locale` in `openapi.yaml`.", "maxLength": 200, "example": "pt-BR" }, "CustomCode": { "type": "string", "description": "A code that you generated, 4 to 10 digits. It needs the scope `verify:custom_code`.", "pattern": "^[0-9]{4,10}$", "x-pattern-words": "must be 4 to 10 digits", "x-required-scope": "verify:custom_code", "example": "40718293" }, "AppHash": { "type": "string", "description": "The 11 characters by which Android's SMS Retriever identifies your app.", "minLength": 11, "maxLength": 11, "pattern": "^[A-Za-z0-9+/]{11}$", "x-pattern-words": "must be the 11 characters of an Android app hash: letters, digits, + and /", "example": "FA+9qCX9VSu" }, "DeviceIp": { "type": "string", "description": "The IP address of the device that requests the code, as `signals.ip` in `openapi.yaml`: with a port, as a\nlist of `X-Forwarded-For`, or `unknown`.\n", "maxLength": 512, "example": "203.0.113.7" }, "RiskCheck": { "type": "string", "description": "Whether the account's rules against SMS pumping are applied. The limits of the phone always apply.\n\n* `enable`: they are applied.\n* `disable`: they are skipped, as with `signals.trusted` in `openapi.yaml`.\n", "enum": ["enable", "disable"], "example": "enable" }, "RateLimits": { "type": "string", "description": "The values of your own rate limits: a JSON object. `end_user_ip_address`, `user_id` and `device_id` in it\nare used as the `signals` `ip`, `user_id` and `device_id` of `openapi.yaml`, for the rules of the account.\nOther members are rejected by name, because nothing here would use them.\n", "maxLength": 4096, "example": '{"user_id":"user-1042"}' }, "Tags": { "type": "string", "description": "Your own tags, as JSON. They are accepted and ignored.", "maxLength": 4096, "example": '{"team":"login"}' } }, "example": { "To": "+14155550100", "Channel": "sms" } } }, "required": ["path", "header", "requestBody"] };
var pattern0 = new RegExp("^[!-~]+$", "u");
var pattern1 = new RegExp("^(?!(?:[^0-9]*[0-9]){5})(?!.*[\\p{L}\\p{M}0-9]\\.\\p{M}*\\p{L}\\p{M}*\\p{L})(?!.*[0-9]\\.[0-9]+\\.[0-9])(?=.*[\\p{L}0-9]|$)[\\p{L}\\p{M}0-9 _.&'\u2019-]*$", "u");
var pattern2 = new RegExp("^[0-9]{4,10}$", "u");
var pattern3 = new RegExp("^[A-Za-z0-9+/]{11}$", "u");
function validate11(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
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
    if (data.header === void 0 || !func0.call(data, "header")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "header" }, message: "must have required property 'header'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.requestBody === void 0 || !func0.call(data, "requestBody")) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "requestBody" }, message: "must have required property 'requestBody'" };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.path !== void 0 && func0.call(data, "path")) {
      let data0 = data.path;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0.ServiceSid === void 0 || !func0.call(data0, "ServiceSid")) {
          const err3 = { instancePath: instancePath + "/path", schemaPath: "#/properties/path/required", keyword: "required", params: { missingProperty: "ServiceSid" }, message: "must have required property 'ServiceSid'" };
          if (vErrors === null) {
            vErrors = [err3];
          } else {
            vErrors.push(err3);
          }
          errors++;
        }
        if (data0.ServiceSid !== void 0 && func0.call(data0, "ServiceSid")) {
          let data1 = data0.ServiceSid;
          if (typeof data1 === "string") {
            if (func49(data1) > 64) {
              const err4 = { instancePath: instancePath + "/path/ServiceSid", schemaPath: "#/properties/path/properties/ServiceSid/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          } else {
            const err5 = { instancePath: instancePath + "/path/ServiceSid", schemaPath: "#/properties/path/properties/ServiceSid/type", keyword: "type", params: { type: "string" }, message: "must be string" };
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
    if (data.header !== void 0 && func0.call(data, "header")) {
      let data2 = data.header;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
        if (data2["Idempotency-Key"] !== void 0 && func0.call(data2, "Idempotency-Key")) {
          let data3 = data2["Idempotency-Key"];
          if (typeof data3 === "string") {
            if (func49(data3) > 255) {
              const err7 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/maxLength", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters" };
              if (vErrors === null) {
                vErrors = [err7];
              } else {
                vErrors.push(err7);
              }
              errors++;
            }
            if (func49(data3) < 1) {
              const err8 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err8];
              } else {
                vErrors.push(err8);
              }
              errors++;
            }
            if (!pattern0.test(data3)) {
              const err9 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/pattern", keyword: "pattern", params: { pattern: "^[!-~]+$" }, message: 'must match pattern "^[!-~]+$"' };
              if (vErrors === null) {
                vErrors = [err9];
              } else {
                vErrors.push(err9);
              }
              errors++;
            }
          } else {
            const err10 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
      } else {
        const err11 = { instancePath: instancePath + "/header", schemaPath: "#/properties/header/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err11];
        } else {
          vErrors.push(err11);
        }
        errors++;
      }
    }
    if (data.requestBody !== void 0 && func0.call(data, "requestBody")) {
      let data4 = data.requestBody;
      if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
        if (data4.To === void 0 || !func0.call(data4, "To")) {
          const err12 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/required", keyword: "required", params: { missingProperty: "To" }, message: "must have required property 'To'" };
          if (vErrors === null) {
            vErrors = [err12];
          } else {
            vErrors.push(err12);
          }
          errors++;
        }
        if (data4.Channel === void 0 || !func0.call(data4, "Channel")) {
          const err13 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/required", keyword: "required", params: { missingProperty: "Channel" }, message: "must have required property 'Channel'" };
          if (vErrors === null) {
            vErrors = [err13];
          } else {
            vErrors.push(err13);
          }
          errors++;
        }
        for (const key0 of Object.keys(data4)) {
          if (!func0.call(schema12.properties.requestBody.properties, key0)) {
            const err14 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err14];
            } else {
              vErrors.push(err14);
            }
            errors++;
          }
        }
        if (data4.To !== void 0 && func0.call(data4, "To")) {
          let data5 = data4.To;
          if (typeof data5 === "string") {
            if (func49(data5) > 200) {
              const err15 = { instancePath: instancePath + "/requestBody/To", schemaPath: "#/properties/requestBody/properties/To/maxLength", keyword: "maxLength", params: { limit: 200 }, message: "must NOT have more than 200 characters" };
              if (vErrors === null) {
                vErrors = [err15];
              } else {
                vErrors.push(err15);
              }
              errors++;
            }
            if (func49(data5) < 1) {
              const err16 = { instancePath: instancePath + "/requestBody/To", schemaPath: "#/properties/requestBody/properties/To/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err16];
              } else {
                vErrors.push(err16);
              }
              errors++;
            }
          } else {
            const err17 = { instancePath: instancePath + "/requestBody/To", schemaPath: "#/properties/requestBody/properties/To/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err17];
            } else {
              vErrors.push(err17);
            }
            errors++;
          }
        }
        if (data4.Channel !== void 0 && func0.call(data4, "Channel")) {
          let data6 = data4.Channel;
          if (typeof data6 !== "string") {
            const err18 = { instancePath: instancePath + "/requestBody/Channel", schemaPath: "#/properties/requestBody/properties/Channel/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err18];
            } else {
              vErrors.push(err18);
            }
            errors++;
          }
          if (!(data6 === "sms" || data6 === "whatsapp" || data6 === "auto")) {
            const err19 = { instancePath: instancePath + "/requestBody/Channel", schemaPath: "#/properties/requestBody/properties/Channel/enum", keyword: "enum", params: { allowedValues: schema12.properties.requestBody.properties.Channel.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err19];
            } else {
              vErrors.push(err19);
            }
            errors++;
          }
        }
        if (data4.CustomFriendlyName !== void 0 && func0.call(data4, "CustomFriendlyName")) {
          let data7 = data4.CustomFriendlyName;
          if (typeof data7 === "string") {
            if (func49(data7) > 30) {
              const err20 = { instancePath: instancePath + "/requestBody/CustomFriendlyName", schemaPath: "#/properties/requestBody/properties/CustomFriendlyName/maxLength", keyword: "maxLength", params: { limit: 30 }, message: "must NOT have more than 30 characters" };
              if (vErrors === null) {
                vErrors = [err20];
              } else {
                vErrors.push(err20);
              }
              errors++;
            }
            if (func49(data7) < 1) {
              const err21 = { instancePath: instancePath + "/requestBody/CustomFriendlyName", schemaPath: "#/properties/requestBody/properties/CustomFriendlyName/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err21];
              } else {
                vErrors.push(err21);
              }
              errors++;
            }
            if (!pattern1.test(data7)) {
              const err22 = { instancePath: instancePath + "/requestBody/CustomFriendlyName", schemaPath: "#/properties/requestBody/properties/CustomFriendlyName/pattern", keyword: "pattern", params: { pattern: "^(?!(?:[^0-9]*[0-9]){5})(?!.*[\\p{L}\\p{M}0-9]\\.\\p{M}*\\p{L}\\p{M}*\\p{L})(?!.*[0-9]\\.[0-9]+\\.[0-9])(?=.*[\\p{L}0-9]|$)[\\p{L}\\p{M}0-9 _.&'\u2019-]*$" }, message: `must match pattern "^(?!(?:[^0-9]*[0-9]){5})(?!.*[\\p{L}\\p{M}0-9]\\.\\p{M}*\\p{L}\\p{M}*\\p{L})(?!.*[0-9]\\.[0-9]+\\.[0-9])(?=.*[\\p{L}0-9]|$)[\\p{L}\\p{M}0-9 _.&'\u2019-]*$"` };
              if (vErrors === null) {
                vErrors = [err22];
              } else {
                vErrors.push(err22);
              }
              errors++;
            }
          } else {
            const err23 = { instancePath: instancePath + "/requestBody/CustomFriendlyName", schemaPath: "#/properties/requestBody/properties/CustomFriendlyName/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err23];
            } else {
              vErrors.push(err23);
            }
            errors++;
          }
        }
        if (data4.Locale !== void 0 && func0.call(data4, "Locale")) {
          let data8 = data4.Locale;
          if (typeof data8 === "string") {
            if (func49(data8) > 200) {
              const err24 = { instancePath: instancePath + "/requestBody/Locale", schemaPath: "#/properties/requestBody/properties/Locale/maxLength", keyword: "maxLength", params: { limit: 200 }, message: "must NOT have more than 200 characters" };
              if (vErrors === null) {
                vErrors = [err24];
              } else {
                vErrors.push(err24);
              }
              errors++;
            }
          } else {
            const err25 = { instancePath: instancePath + "/requestBody/Locale", schemaPath: "#/properties/requestBody/properties/Locale/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err25];
            } else {
              vErrors.push(err25);
            }
            errors++;
          }
        }
        if (data4.CustomCode !== void 0 && func0.call(data4, "CustomCode")) {
          let data9 = data4.CustomCode;
          if (typeof data9 === "string") {
            if (!pattern2.test(data9)) {
              const err26 = { instancePath: instancePath + "/requestBody/CustomCode", schemaPath: "#/properties/requestBody/properties/CustomCode/pattern", keyword: "pattern", params: { pattern: "^[0-9]{4,10}$" }, message: 'must match pattern "^[0-9]{4,10}$"' };
              if (vErrors === null) {
                vErrors = [err26];
              } else {
                vErrors.push(err26);
              }
              errors++;
            }
          } else {
            const err27 = { instancePath: instancePath + "/requestBody/CustomCode", schemaPath: "#/properties/requestBody/properties/CustomCode/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err27];
            } else {
              vErrors.push(err27);
            }
            errors++;
          }
        }
        if (data4.AppHash !== void 0 && func0.call(data4, "AppHash")) {
          let data10 = data4.AppHash;
          if (typeof data10 === "string") {
            if (func49(data10) > 11) {
              const err28 = { instancePath: instancePath + "/requestBody/AppHash", schemaPath: "#/properties/requestBody/properties/AppHash/maxLength", keyword: "maxLength", params: { limit: 11 }, message: "must NOT have more than 11 characters" };
              if (vErrors === null) {
                vErrors = [err28];
              } else {
                vErrors.push(err28);
              }
              errors++;
            }
            if (func49(data10) < 11) {
              const err29 = { instancePath: instancePath + "/requestBody/AppHash", schemaPath: "#/properties/requestBody/properties/AppHash/minLength", keyword: "minLength", params: { limit: 11 }, message: "must NOT have fewer than 11 characters" };
              if (vErrors === null) {
                vErrors = [err29];
              } else {
                vErrors.push(err29);
              }
              errors++;
            }
            if (!pattern3.test(data10)) {
              const err30 = { instancePath: instancePath + "/requestBody/AppHash", schemaPath: "#/properties/requestBody/properties/AppHash/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9+/]{11}$" }, message: 'must match pattern "^[A-Za-z0-9+/]{11}$"' };
              if (vErrors === null) {
                vErrors = [err30];
              } else {
                vErrors.push(err30);
              }
              errors++;
            }
          } else {
            const err31 = { instancePath: instancePath + "/requestBody/AppHash", schemaPath: "#/properties/requestBody/properties/AppHash/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err31];
            } else {
              vErrors.push(err31);
            }
            errors++;
          }
        }
        if (data4.DeviceIp !== void 0 && func0.call(data4, "DeviceIp")) {
          let data11 = data4.DeviceIp;
          if (typeof data11 === "string") {
            if (func49(data11) > 512) {
              const err32 = { instancePath: instancePath + "/requestBody/DeviceIp", schemaPath: "#/properties/requestBody/properties/DeviceIp/maxLength", keyword: "maxLength", params: { limit: 512 }, message: "must NOT have more than 512 characters" };
              if (vErrors === null) {
                vErrors = [err32];
              } else {
                vErrors.push(err32);
              }
              errors++;
            }
          } else {
            const err33 = { instancePath: instancePath + "/requestBody/DeviceIp", schemaPath: "#/properties/requestBody/properties/DeviceIp/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err33];
            } else {
              vErrors.push(err33);
            }
            errors++;
          }
        }
        if (data4.RiskCheck !== void 0 && func0.call(data4, "RiskCheck")) {
          let data12 = data4.RiskCheck;
          if (typeof data12 !== "string") {
            const err34 = { instancePath: instancePath + "/requestBody/RiskCheck", schemaPath: "#/properties/requestBody/properties/RiskCheck/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err34];
            } else {
              vErrors.push(err34);
            }
            errors++;
          }
          if (!(data12 === "enable" || data12 === "disable")) {
            const err35 = { instancePath: instancePath + "/requestBody/RiskCheck", schemaPath: "#/properties/requestBody/properties/RiskCheck/enum", keyword: "enum", params: { allowedValues: schema12.properties.requestBody.properties.RiskCheck.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err35];
            } else {
              vErrors.push(err35);
            }
            errors++;
          }
        }
        if (data4.RateLimits !== void 0 && func0.call(data4, "RateLimits")) {
          let data13 = data4.RateLimits;
          if (typeof data13 === "string") {
            if (func49(data13) > 4096) {
              const err36 = { instancePath: instancePath + "/requestBody/RateLimits", schemaPath: "#/properties/requestBody/properties/RateLimits/maxLength", keyword: "maxLength", params: { limit: 4096 }, message: "must NOT have more than 4096 characters" };
              if (vErrors === null) {
                vErrors = [err36];
              } else {
                vErrors.push(err36);
              }
              errors++;
            }
          } else {
            const err37 = { instancePath: instancePath + "/requestBody/RateLimits", schemaPath: "#/properties/requestBody/properties/RateLimits/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err37];
            } else {
              vErrors.push(err37);
            }
            errors++;
          }
        }
        if (data4.Tags !== void 0 && func0.call(data4, "Tags")) {
          let data14 = data4.Tags;
          if (typeof data14 === "string") {
            if (func49(data14) > 4096) {
              const err38 = { instancePath: instancePath + "/requestBody/Tags", schemaPath: "#/properties/requestBody/properties/Tags/maxLength", keyword: "maxLength", params: { limit: 4096 }, message: "must NOT have more than 4096 characters" };
              if (vErrors === null) {
                vErrors = [err38];
              } else {
                vErrors.push(err38);
              }
              errors++;
            }
          } else {
            const err39 = { instancePath: instancePath + "/requestBody/Tags", schemaPath: "#/properties/requestBody/properties/Tags/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err39];
            } else {
              vErrors.push(err39);
            }
            errors++;
          }
        }
      } else {
        const err40 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err40];
        } else {
          vErrors.push(err40);
        }
        errors++;
      }
    }
  } else {
    const err41 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err41];
    } else {
      vErrors.push(err41);
    }
    errors++;
  }
  validate11.errors = vErrors;
  return errors === 0;
}
var fetchVerification = validate12;
function validate12(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
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
        if (data0.ServiceSid === void 0 || !func0.call(data0, "ServiceSid")) {
          const err1 = { instancePath: instancePath + "/path", schemaPath: "#/properties/path/required", keyword: "required", params: { missingProperty: "ServiceSid" }, message: "must have required property 'ServiceSid'" };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
        if (data0.Sid === void 0 || !func0.call(data0, "Sid")) {
          const err2 = { instancePath: instancePath + "/path", schemaPath: "#/properties/path/required", keyword: "required", params: { missingProperty: "Sid" }, message: "must have required property 'Sid'" };
          if (vErrors === null) {
            vErrors = [err2];
          } else {
            vErrors.push(err2);
          }
          errors++;
        }
        if (data0.ServiceSid !== void 0 && func0.call(data0, "ServiceSid")) {
          let data1 = data0.ServiceSid;
          if (typeof data1 === "string") {
            if (func49(data1) > 64) {
              const err3 = { instancePath: instancePath + "/path/ServiceSid", schemaPath: "#/properties/path/properties/ServiceSid/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              if (vErrors === null) {
                vErrors = [err3];
              } else {
                vErrors.push(err3);
              }
              errors++;
            }
          } else {
            const err4 = { instancePath: instancePath + "/path/ServiceSid", schemaPath: "#/properties/path/properties/ServiceSid/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err4];
            } else {
              vErrors.push(err4);
            }
            errors++;
          }
        }
        if (data0.Sid !== void 0 && func0.call(data0, "Sid")) {
          let data2 = data0.Sid;
          if (typeof data2 === "string") {
            if (func49(data2) > 64) {
              const err5 = { instancePath: instancePath + "/path/Sid", schemaPath: "#/properties/path/properties/Sid/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              if (vErrors === null) {
                vErrors = [err5];
              } else {
                vErrors.push(err5);
              }
              errors++;
            }
          } else {
            const err6 = { instancePath: instancePath + "/path/Sid", schemaPath: "#/properties/path/properties/Sid/type", keyword: "type", params: { type: "string" }, message: "must be string" };
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
  } else {
    const err8 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err8];
    } else {
      vErrors.push(err8);
    }
    errors++;
  }
  validate12.errors = vErrors;
  return errors === 0;
}
var updateVerification = validate13;
var schema14 = { "type": "object", "properties": { "path": { "type": "object", "properties": { "ServiceSid": { "type": "string", "maxLength": 64 }, "Sid": { "type": "string", "maxLength": 64 } }, "required": ["ServiceSid", "Sid"] }, "header": { "type": "object", "properties": { "Idempotency-Key": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$", "x-pattern-words": "must have nothing but ASCII characters that can be seen, and no spaces" } }, "required": [] }, "requestBody": { "type": "object", "additionalProperties": false, "required": ["Status"], "properties": { "Status": { "type": "string", "description": "How the verification ends. `x-scopes` has the scope that a value needs in addition to that of the operation.\n\n* `canceled`: its code is no longer accepted.\n* `approved`: you checked your own code yourself.\n", "enum": ["canceled", "approved"], "x-scopes": { "approved": "verify:custom_code" }, "example": "canceled" } }, "example": { "Status": "canceled" } } }, "required": ["path", "header", "requestBody"] };
function validate13(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
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
    if (data.header === void 0 || !func0.call(data, "header")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "header" }, message: "must have required property 'header'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.requestBody === void 0 || !func0.call(data, "requestBody")) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "requestBody" }, message: "must have required property 'requestBody'" };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.path !== void 0 && func0.call(data, "path")) {
      let data0 = data.path;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0.ServiceSid === void 0 || !func0.call(data0, "ServiceSid")) {
          const err3 = { instancePath: instancePath + "/path", schemaPath: "#/properties/path/required", keyword: "required", params: { missingProperty: "ServiceSid" }, message: "must have required property 'ServiceSid'" };
          if (vErrors === null) {
            vErrors = [err3];
          } else {
            vErrors.push(err3);
          }
          errors++;
        }
        if (data0.Sid === void 0 || !func0.call(data0, "Sid")) {
          const err4 = { instancePath: instancePath + "/path", schemaPath: "#/properties/path/required", keyword: "required", params: { missingProperty: "Sid" }, message: "must have required property 'Sid'" };
          if (vErrors === null) {
            vErrors = [err4];
          } else {
            vErrors.push(err4);
          }
          errors++;
        }
        if (data0.ServiceSid !== void 0 && func0.call(data0, "ServiceSid")) {
          let data1 = data0.ServiceSid;
          if (typeof data1 === "string") {
            if (func49(data1) > 64) {
              const err5 = { instancePath: instancePath + "/path/ServiceSid", schemaPath: "#/properties/path/properties/ServiceSid/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              if (vErrors === null) {
                vErrors = [err5];
              } else {
                vErrors.push(err5);
              }
              errors++;
            }
          } else {
            const err6 = { instancePath: instancePath + "/path/ServiceSid", schemaPath: "#/properties/path/properties/ServiceSid/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err6];
            } else {
              vErrors.push(err6);
            }
            errors++;
          }
        }
        if (data0.Sid !== void 0 && func0.call(data0, "Sid")) {
          let data2 = data0.Sid;
          if (typeof data2 === "string") {
            if (func49(data2) > 64) {
              const err7 = { instancePath: instancePath + "/path/Sid", schemaPath: "#/properties/path/properties/Sid/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              if (vErrors === null) {
                vErrors = [err7];
              } else {
                vErrors.push(err7);
              }
              errors++;
            }
          } else {
            const err8 = { instancePath: instancePath + "/path/Sid", schemaPath: "#/properties/path/properties/Sid/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
      } else {
        const err9 = { instancePath: instancePath + "/path", schemaPath: "#/properties/path/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
    if (data.header !== void 0 && func0.call(data, "header")) {
      let data3 = data.header;
      if (data3 && typeof data3 == "object" && !Array.isArray(data3)) {
        if (data3["Idempotency-Key"] !== void 0 && func0.call(data3, "Idempotency-Key")) {
          let data4 = data3["Idempotency-Key"];
          if (typeof data4 === "string") {
            if (func49(data4) > 255) {
              const err10 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/maxLength", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters" };
              if (vErrors === null) {
                vErrors = [err10];
              } else {
                vErrors.push(err10);
              }
              errors++;
            }
            if (func49(data4) < 1) {
              const err11 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err11];
              } else {
                vErrors.push(err11);
              }
              errors++;
            }
            if (!pattern0.test(data4)) {
              const err12 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/pattern", keyword: "pattern", params: { pattern: "^[!-~]+$" }, message: 'must match pattern "^[!-~]+$"' };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
          } else {
            const err13 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
      } else {
        const err14 = { instancePath: instancePath + "/header", schemaPath: "#/properties/header/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err14];
        } else {
          vErrors.push(err14);
        }
        errors++;
      }
    }
    if (data.requestBody !== void 0 && func0.call(data, "requestBody")) {
      let data5 = data.requestBody;
      if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
        if (data5.Status === void 0 || !func0.call(data5, "Status")) {
          const err15 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/required", keyword: "required", params: { missingProperty: "Status" }, message: "must have required property 'Status'" };
          if (vErrors === null) {
            vErrors = [err15];
          } else {
            vErrors.push(err15);
          }
          errors++;
        }
        for (const key0 of Object.keys(data5)) {
          if (!(key0 === "Status")) {
            const err16 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err16];
            } else {
              vErrors.push(err16);
            }
            errors++;
          }
        }
        if (data5.Status !== void 0 && func0.call(data5, "Status")) {
          let data6 = data5.Status;
          if (typeof data6 !== "string") {
            const err17 = { instancePath: instancePath + "/requestBody/Status", schemaPath: "#/properties/requestBody/properties/Status/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err17];
            } else {
              vErrors.push(err17);
            }
            errors++;
          }
          if (!(data6 === "canceled" || data6 === "approved")) {
            const err18 = { instancePath: instancePath + "/requestBody/Status", schemaPath: "#/properties/requestBody/properties/Status/enum", keyword: "enum", params: { allowedValues: schema14.properties.requestBody.properties.Status.enum }, message: "must be equal to one of the allowed values" };
            if (vErrors === null) {
              vErrors = [err18];
            } else {
              vErrors.push(err18);
            }
            errors++;
          }
        }
      } else {
        const err19 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err19];
        } else {
          vErrors.push(err19);
        }
        errors++;
      }
    }
  } else {
    const err20 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err20];
    } else {
      vErrors.push(err20);
    }
    errors++;
  }
  validate13.errors = vErrors;
  return errors === 0;
}
var createVerificationCheck = validate14;
var pattern6 = new RegExp("^VE[0-9a-fA-F]{32}$", "u");
function validate14(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
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
    if (data.header === void 0 || !func0.call(data, "header")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "header" }, message: "must have required property 'header'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.requestBody === void 0 || !func0.call(data, "requestBody")) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "requestBody" }, message: "must have required property 'requestBody'" };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.path !== void 0 && func0.call(data, "path")) {
      let data0 = data.path;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0.ServiceSid === void 0 || !func0.call(data0, "ServiceSid")) {
          const err3 = { instancePath: instancePath + "/path", schemaPath: "#/properties/path/required", keyword: "required", params: { missingProperty: "ServiceSid" }, message: "must have required property 'ServiceSid'" };
          if (vErrors === null) {
            vErrors = [err3];
          } else {
            vErrors.push(err3);
          }
          errors++;
        }
        if (data0.ServiceSid !== void 0 && func0.call(data0, "ServiceSid")) {
          let data1 = data0.ServiceSid;
          if (typeof data1 === "string") {
            if (func49(data1) > 64) {
              const err4 = { instancePath: instancePath + "/path/ServiceSid", schemaPath: "#/properties/path/properties/ServiceSid/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          } else {
            const err5 = { instancePath: instancePath + "/path/ServiceSid", schemaPath: "#/properties/path/properties/ServiceSid/type", keyword: "type", params: { type: "string" }, message: "must be string" };
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
    if (data.header !== void 0 && func0.call(data, "header")) {
      let data2 = data.header;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
        if (data2["Idempotency-Key"] !== void 0 && func0.call(data2, "Idempotency-Key")) {
          let data3 = data2["Idempotency-Key"];
          if (typeof data3 === "string") {
            if (func49(data3) > 255) {
              const err7 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/maxLength", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters" };
              if (vErrors === null) {
                vErrors = [err7];
              } else {
                vErrors.push(err7);
              }
              errors++;
            }
            if (func49(data3) < 1) {
              const err8 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err8];
              } else {
                vErrors.push(err8);
              }
              errors++;
            }
            if (!pattern0.test(data3)) {
              const err9 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/pattern", keyword: "pattern", params: { pattern: "^[!-~]+$" }, message: 'must match pattern "^[!-~]+$"' };
              if (vErrors === null) {
                vErrors = [err9];
              } else {
                vErrors.push(err9);
              }
              errors++;
            }
          } else {
            const err10 = { instancePath: instancePath + "/header/Idempotency-Key", schemaPath: "#/properties/header/properties/Idempotency-Key/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
      } else {
        const err11 = { instancePath: instancePath + "/header", schemaPath: "#/properties/header/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err11];
        } else {
          vErrors.push(err11);
        }
        errors++;
      }
    }
    if (data.requestBody !== void 0 && func0.call(data, "requestBody")) {
      let data4 = data.requestBody;
      if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
        if (data4.Code === void 0 || !func0.call(data4, "Code")) {
          const err12 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/required", keyword: "required", params: { missingProperty: "Code" }, message: "must have required property 'Code'" };
          if (vErrors === null) {
            vErrors = [err12];
          } else {
            vErrors.push(err12);
          }
          errors++;
        }
        for (const key0 of Object.keys(data4)) {
          if (!(key0 === "Code" || key0 === "To" || key0 === "VerificationSid")) {
            const err13 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
        if (data4.Code !== void 0 && func0.call(data4, "Code")) {
          if (typeof data4.Code !== "string") {
            const err14 = { instancePath: instancePath + "/requestBody/Code", schemaPath: "#/properties/requestBody/properties/Code/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err14];
            } else {
              vErrors.push(err14);
            }
            errors++;
          }
        }
        if (data4.To !== void 0 && func0.call(data4, "To")) {
          let data6 = data4.To;
          if (typeof data6 === "string") {
            if (func49(data6) > 200) {
              const err15 = { instancePath: instancePath + "/requestBody/To", schemaPath: "#/properties/requestBody/properties/To/maxLength", keyword: "maxLength", params: { limit: 200 }, message: "must NOT have more than 200 characters" };
              if (vErrors === null) {
                vErrors = [err15];
              } else {
                vErrors.push(err15);
              }
              errors++;
            }
            if (func49(data6) < 1) {
              const err16 = { instancePath: instancePath + "/requestBody/To", schemaPath: "#/properties/requestBody/properties/To/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              if (vErrors === null) {
                vErrors = [err16];
              } else {
                vErrors.push(err16);
              }
              errors++;
            }
          } else {
            const err17 = { instancePath: instancePath + "/requestBody/To", schemaPath: "#/properties/requestBody/properties/To/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err17];
            } else {
              vErrors.push(err17);
            }
            errors++;
          }
        }
        if (data4.VerificationSid !== void 0 && func0.call(data4, "VerificationSid")) {
          let data7 = data4.VerificationSid;
          if (typeof data7 === "string") {
            if (!pattern6.test(data7)) {
              const err18 = { instancePath: instancePath + "/requestBody/VerificationSid", schemaPath: "#/properties/requestBody/properties/VerificationSid/pattern", keyword: "pattern", params: { pattern: "^VE[0-9a-fA-F]{32}$" }, message: 'must match pattern "^VE[0-9a-fA-F]{32}$"' };
              if (vErrors === null) {
                vErrors = [err18];
              } else {
                vErrors.push(err18);
              }
              errors++;
            }
          } else {
            const err19 = { instancePath: instancePath + "/requestBody/VerificationSid", schemaPath: "#/properties/requestBody/properties/VerificationSid/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err19];
            } else {
              vErrors.push(err19);
            }
            errors++;
          }
        }
      } else {
        const err20 = { instancePath: instancePath + "/requestBody", schemaPath: "#/properties/requestBody/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err20];
        } else {
          vErrors.push(err20);
        }
        errors++;
      }
    }
  } else {
    const err21 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err21];
    } else {
      vErrors.push(err21);
    }
    errors++;
  }
  validate14.errors = vErrors;
  return errors === 0;
}
export {
  createVerification,
  createVerificationCheck,
  fetchService,
  fetchVerification,
  updateVerification
};
