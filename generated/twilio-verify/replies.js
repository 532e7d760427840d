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

// <stdin>
var exports = {};
exports["fetchService.200.headers"] = validate21;
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
  } else {
    const err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err3];
    } else {
      vErrors.push(err3);
    }
    errors++;
  }
  validate21.errors = vErrors;
  return errors === 0;
}
exports["fetchService.200.body"] = validate22;
var schema7 = { "type": "object", "required": ["sid", "account_sid", "friendly_name", "code_length", "custom_code_enabled", "lookup_enabled", "skip_sms_to_landlines", "dtmf_input_required", "psd2_enabled", "do_not_share_warning_enabled", "default_template_sid", "tts_name", "date_created", "date_updated", "url"], "properties": { "sid": { "type": "string", "pattern": "^VA[0-9a-f]{32}$" }, "account_sid": { "type": "string", "pattern": "^AC[0-9a-f]{32}$" }, "friendly_name": { "type": "string" }, "code_length": { "type": "integer" }, "custom_code_enabled": { "type": "boolean" }, "lookup_enabled": { "type": "boolean" }, "skip_sms_to_landlines": { "type": "boolean" }, "dtmf_input_required": { "type": "boolean" }, "psd2_enabled": { "type": "boolean" }, "do_not_share_warning_enabled": { "type": "boolean" }, "default_template_sid": { "type": "string", "nullable": true }, "tts_name": { "type": "string", "nullable": true }, "date_created": { "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$" }, "date_updated": { "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$" }, "url": { "type": "string" } }, "additionalProperties": false };
var pattern1 = new RegExp("^VA[0-9a-f]{32}$", "u");
var pattern2 = new RegExp("^AC[0-9a-f]{32}$", "u");
var pattern3 = new RegExp("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$", "u");
function validate22(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.sid === void 0 || !func0.call(data, "sid")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "sid" }, message: "must have required property 'sid'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.account_sid === void 0 || !func0.call(data, "account_sid")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "account_sid" }, message: "must have required property 'account_sid'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.friendly_name === void 0 || !func0.call(data, "friendly_name")) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "friendly_name" }, message: "must have required property 'friendly_name'" };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.code_length === void 0 || !func0.call(data, "code_length")) {
      const err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "code_length" }, message: "must have required property 'code_length'" };
      if (vErrors === null) {
        vErrors = [err3];
      } else {
        vErrors.push(err3);
      }
      errors++;
    }
    if (data.custom_code_enabled === void 0 || !func0.call(data, "custom_code_enabled")) {
      const err4 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "custom_code_enabled" }, message: "must have required property 'custom_code_enabled'" };
      if (vErrors === null) {
        vErrors = [err4];
      } else {
        vErrors.push(err4);
      }
      errors++;
    }
    if (data.lookup_enabled === void 0 || !func0.call(data, "lookup_enabled")) {
      const err5 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "lookup_enabled" }, message: "must have required property 'lookup_enabled'" };
      if (vErrors === null) {
        vErrors = [err5];
      } else {
        vErrors.push(err5);
      }
      errors++;
    }
    if (data.skip_sms_to_landlines === void 0 || !func0.call(data, "skip_sms_to_landlines")) {
      const err6 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "skip_sms_to_landlines" }, message: "must have required property 'skip_sms_to_landlines'" };
      if (vErrors === null) {
        vErrors = [err6];
      } else {
        vErrors.push(err6);
      }
      errors++;
    }
    if (data.dtmf_input_required === void 0 || !func0.call(data, "dtmf_input_required")) {
      const err7 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "dtmf_input_required" }, message: "must have required property 'dtmf_input_required'" };
      if (vErrors === null) {
        vErrors = [err7];
      } else {
        vErrors.push(err7);
      }
      errors++;
    }
    if (data.psd2_enabled === void 0 || !func0.call(data, "psd2_enabled")) {
      const err8 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "psd2_enabled" }, message: "must have required property 'psd2_enabled'" };
      if (vErrors === null) {
        vErrors = [err8];
      } else {
        vErrors.push(err8);
      }
      errors++;
    }
    if (data.do_not_share_warning_enabled === void 0 || !func0.call(data, "do_not_share_warning_enabled")) {
      const err9 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "do_not_share_warning_enabled" }, message: "must have required property 'do_not_share_warning_enabled'" };
      if (vErrors === null) {
        vErrors = [err9];
      } else {
        vErrors.push(err9);
      }
      errors++;
    }
    if (data.default_template_sid === void 0 || !func0.call(data, "default_template_sid")) {
      const err10 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "default_template_sid" }, message: "must have required property 'default_template_sid'" };
      if (vErrors === null) {
        vErrors = [err10];
      } else {
        vErrors.push(err10);
      }
      errors++;
    }
    if (data.tts_name === void 0 || !func0.call(data, "tts_name")) {
      const err11 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "tts_name" }, message: "must have required property 'tts_name'" };
      if (vErrors === null) {
        vErrors = [err11];
      } else {
        vErrors.push(err11);
      }
      errors++;
    }
    if (data.date_created === void 0 || !func0.call(data, "date_created")) {
      const err12 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "date_created" }, message: "must have required property 'date_created'" };
      if (vErrors === null) {
        vErrors = [err12];
      } else {
        vErrors.push(err12);
      }
      errors++;
    }
    if (data.date_updated === void 0 || !func0.call(data, "date_updated")) {
      const err13 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "date_updated" }, message: "must have required property 'date_updated'" };
      if (vErrors === null) {
        vErrors = [err13];
      } else {
        vErrors.push(err13);
      }
      errors++;
    }
    if (data.url === void 0 || !func0.call(data, "url")) {
      const err14 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "url" }, message: "must have required property 'url'" };
      if (vErrors === null) {
        vErrors = [err14];
      } else {
        vErrors.push(err14);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!func0.call(schema7.properties, key0)) {
        const err15 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err15];
        } else {
          vErrors.push(err15);
        }
        errors++;
      }
    }
    if (data.sid !== void 0 && func0.call(data, "sid")) {
      let data0 = data.sid;
      if (typeof data0 === "string") {
        if (!pattern1.test(data0)) {
          const err16 = { instancePath: instancePath + "/sid", schemaPath: "#/properties/sid/pattern", keyword: "pattern", params: { pattern: "^VA[0-9a-f]{32}$" }, message: 'must match pattern "^VA[0-9a-f]{32}$"' };
          if (vErrors === null) {
            vErrors = [err16];
          } else {
            vErrors.push(err16);
          }
          errors++;
        }
      } else {
        const err17 = { instancePath: instancePath + "/sid", schemaPath: "#/properties/sid/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err17];
        } else {
          vErrors.push(err17);
        }
        errors++;
      }
    }
    if (data.account_sid !== void 0 && func0.call(data, "account_sid")) {
      let data1 = data.account_sid;
      if (typeof data1 === "string") {
        if (!pattern2.test(data1)) {
          const err18 = { instancePath: instancePath + "/account_sid", schemaPath: "#/properties/account_sid/pattern", keyword: "pattern", params: { pattern: "^AC[0-9a-f]{32}$" }, message: 'must match pattern "^AC[0-9a-f]{32}$"' };
          if (vErrors === null) {
            vErrors = [err18];
          } else {
            vErrors.push(err18);
          }
          errors++;
        }
      } else {
        const err19 = { instancePath: instancePath + "/account_sid", schemaPath: "#/properties/account_sid/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err19];
        } else {
          vErrors.push(err19);
        }
        errors++;
      }
    }
    if (data.friendly_name !== void 0 && func0.call(data, "friendly_name")) {
      if (typeof data.friendly_name !== "string") {
        const err20 = { instancePath: instancePath + "/friendly_name", schemaPath: "#/properties/friendly_name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err20];
        } else {
          vErrors.push(err20);
        }
        errors++;
      }
    }
    if (data.code_length !== void 0 && func0.call(data, "code_length")) {
      let data3 = data.code_length;
      if (!(typeof data3 == "number" && (!(data3 % 1) && !isNaN(data3)) && isFinite(data3))) {
        const err21 = { instancePath: instancePath + "/code_length", schemaPath: "#/properties/code_length/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        if (vErrors === null) {
          vErrors = [err21];
        } else {
          vErrors.push(err21);
        }
        errors++;
      }
    }
    if (data.custom_code_enabled !== void 0 && func0.call(data, "custom_code_enabled")) {
      if (typeof data.custom_code_enabled !== "boolean") {
        const err22 = { instancePath: instancePath + "/custom_code_enabled", schemaPath: "#/properties/custom_code_enabled/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err22];
        } else {
          vErrors.push(err22);
        }
        errors++;
      }
    }
    if (data.lookup_enabled !== void 0 && func0.call(data, "lookup_enabled")) {
      if (typeof data.lookup_enabled !== "boolean") {
        const err23 = { instancePath: instancePath + "/lookup_enabled", schemaPath: "#/properties/lookup_enabled/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err23];
        } else {
          vErrors.push(err23);
        }
        errors++;
      }
    }
    if (data.skip_sms_to_landlines !== void 0 && func0.call(data, "skip_sms_to_landlines")) {
      if (typeof data.skip_sms_to_landlines !== "boolean") {
        const err24 = { instancePath: instancePath + "/skip_sms_to_landlines", schemaPath: "#/properties/skip_sms_to_landlines/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err24];
        } else {
          vErrors.push(err24);
        }
        errors++;
      }
    }
    if (data.dtmf_input_required !== void 0 && func0.call(data, "dtmf_input_required")) {
      if (typeof data.dtmf_input_required !== "boolean") {
        const err25 = { instancePath: instancePath + "/dtmf_input_required", schemaPath: "#/properties/dtmf_input_required/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err25];
        } else {
          vErrors.push(err25);
        }
        errors++;
      }
    }
    if (data.psd2_enabled !== void 0 && func0.call(data, "psd2_enabled")) {
      if (typeof data.psd2_enabled !== "boolean") {
        const err26 = { instancePath: instancePath + "/psd2_enabled", schemaPath: "#/properties/psd2_enabled/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err26];
        } else {
          vErrors.push(err26);
        }
        errors++;
      }
    }
    if (data.do_not_share_warning_enabled !== void 0 && func0.call(data, "do_not_share_warning_enabled")) {
      if (typeof data.do_not_share_warning_enabled !== "boolean") {
        const err27 = { instancePath: instancePath + "/do_not_share_warning_enabled", schemaPath: "#/properties/do_not_share_warning_enabled/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err27];
        } else {
          vErrors.push(err27);
        }
        errors++;
      }
    }
    if (data.default_template_sid !== void 0 && func0.call(data, "default_template_sid")) {
      let data10 = data.default_template_sid;
      if (typeof data10 !== "string" && data10 !== null) {
        const err28 = { instancePath: instancePath + "/default_template_sid", schemaPath: "#/properties/default_template_sid/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err28];
        } else {
          vErrors.push(err28);
        }
        errors++;
      }
    }
    if (data.tts_name !== void 0 && func0.call(data, "tts_name")) {
      let data11 = data.tts_name;
      if (typeof data11 !== "string" && data11 !== null) {
        const err29 = { instancePath: instancePath + "/tts_name", schemaPath: "#/properties/tts_name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err29];
        } else {
          vErrors.push(err29);
        }
        errors++;
      }
    }
    if (data.date_created !== void 0 && func0.call(data, "date_created")) {
      let data12 = data.date_created;
      if (typeof data12 === "string") {
        if (!pattern3.test(data12)) {
          const err30 = { instancePath: instancePath + "/date_created", schemaPath: "#/properties/date_created/pattern", keyword: "pattern", params: { pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$" }, message: 'must match pattern "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"' };
          if (vErrors === null) {
            vErrors = [err30];
          } else {
            vErrors.push(err30);
          }
          errors++;
        }
      } else {
        const err31 = { instancePath: instancePath + "/date_created", schemaPath: "#/properties/date_created/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err31];
        } else {
          vErrors.push(err31);
        }
        errors++;
      }
    }
    if (data.date_updated !== void 0 && func0.call(data, "date_updated")) {
      let data13 = data.date_updated;
      if (typeof data13 === "string") {
        if (!pattern3.test(data13)) {
          const err32 = { instancePath: instancePath + "/date_updated", schemaPath: "#/properties/date_updated/pattern", keyword: "pattern", params: { pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$" }, message: 'must match pattern "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"' };
          if (vErrors === null) {
            vErrors = [err32];
          } else {
            vErrors.push(err32);
          }
          errors++;
        }
      } else {
        const err33 = { instancePath: instancePath + "/date_updated", schemaPath: "#/properties/date_updated/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err33];
        } else {
          vErrors.push(err33);
        }
        errors++;
      }
    }
    if (data.url !== void 0 && func0.call(data, "url")) {
      if (typeof data.url !== "string") {
        const err34 = { instancePath: instancePath + "/url", schemaPath: "#/properties/url/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err34];
        } else {
          vErrors.push(err34);
        }
        errors++;
      }
    }
  } else {
    const err35 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err35];
    } else {
      vErrors.push(err35);
    }
    errors++;
  }
  validate22.errors = vErrors;
  return errors === 0;
}
exports["fetchService.200"] = validate23;
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
exports["fetchService.400.body"] = validate26;
var schema9 = { "type": "object", "required": ["code", "message", "more_info", "status"], "properties": { "code": { "type": "integer", "enum": [20003, 20004, 20403, 20404, 20409, 20413, 20415, 20429, 20500, 20503, 60200, 60202, 60203, 60223, 60410, 60605] }, "message": { "type": "string" }, "more_info": { "type": "string" }, "status": { "type": "integer" } }, "additionalProperties": false };
function validate26(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.code === void 0 || !func0.call(data, "code")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "code" }, message: "must have required property 'code'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.message === void 0 || !func0.call(data, "message")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.more_info === void 0 || !func0.call(data, "more_info")) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "more_info" }, message: "must have required property 'more_info'" };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.status === void 0 || !func0.call(data, "status")) {
      const err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "status" }, message: "must have required property 'status'" };
      if (vErrors === null) {
        vErrors = [err3];
      } else {
        vErrors.push(err3);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "code" || key0 === "message" || key0 === "more_info" || key0 === "status")) {
        const err4 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.code !== void 0 && func0.call(data, "code")) {
      let data0 = data.code;
      if (!(typeof data0 == "number" && (!(data0 % 1) && !isNaN(data0)) && isFinite(data0))) {
        const err5 = { instancePath: instancePath + "/code", schemaPath: "#/properties/code/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        if (vErrors === null) {
          vErrors = [err5];
        } else {
          vErrors.push(err5);
        }
        errors++;
      }
      if (!(data0 === 20003 || data0 === 20004 || data0 === 20403 || data0 === 20404 || data0 === 20409 || data0 === 20413 || data0 === 20415 || data0 === 20429 || data0 === 20500 || data0 === 20503 || data0 === 60200 || data0 === 60202 || data0 === 60203 || data0 === 60223 || data0 === 60410 || data0 === 60605)) {
        const err6 = { instancePath: instancePath + "/code", schemaPath: "#/properties/code/enum", keyword: "enum", params: { allowedValues: schema9.properties.code.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.message !== void 0 && func0.call(data, "message")) {
      if (typeof data.message !== "string") {
        const err7 = { instancePath: instancePath + "/message", schemaPath: "#/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
    if (data.more_info !== void 0 && func0.call(data, "more_info")) {
      if (typeof data.more_info !== "string") {
        const err8 = { instancePath: instancePath + "/more_info", schemaPath: "#/properties/more_info/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err8];
        } else {
          vErrors.push(err8);
        }
        errors++;
      }
    }
    if (data.status !== void 0 && func0.call(data, "status")) {
      let data3 = data.status;
      if (!(typeof data3 == "number" && (!(data3 % 1) && !isNaN(data3)) && isFinite(data3))) {
        const err9 = { instancePath: instancePath + "/status", schemaPath: "#/properties/status/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
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
  validate26.errors = vErrors;
  return errors === 0;
}
exports["fetchService.400"] = validate27;
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
exports["fetchService.401.headers"] = validate30;
var schema11 = { "type": "object", "properties": { "x-trace-id": { "type": "string", "pattern": "^[0-9a-f]{32}$" }, "www-authenticate": { "type": "string", "enum": ['Basic realm="Watchword"'] } }, "required": ["x-trace-id", "www-authenticate"] };
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
      if (!(data1 === 'Basic realm="Watchword"')) {
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
exports["fetchService.401"] = validate31;
function validate31(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
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
  validate31.errors = vErrors;
  return errors === 0;
}
exports["fetchService.429.headers"] = validate34;
function validate34(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
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
  validate34.errors = vErrors;
  return errors === 0;
}
exports["fetchService.429"] = validate35;
function validate35(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
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
      if (!validate34(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate34.errors : vErrors.concat(validate34.errors);
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
  validate35.errors = vErrors;
  return errors === 0;
}
exports["createVerification.201.headers"] = validate38;
var schema15 = { "type": "object", "properties": { "x-trace-id": { "type": "string", "pattern": "^[0-9a-f]{32}$" }, "idempotent-replayed": { "type": "string", "enum": ["true"] } }, "required": ["x-trace-id"] };
function validate38(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
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
        const err4 = { instancePath: instancePath + "/idempotent-replayed", schemaPath: "#/properties/idempotent-replayed/enum", keyword: "enum", params: { allowedValues: schema15.properties["idempotent-replayed"].enum }, message: "must be equal to one of the allowed values" };
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
  validate38.errors = vErrors;
  return errors === 0;
}
exports["createVerification.201.body"] = validate39;
var schema16 = { "type": "object", "required": ["sid", "service_sid", "account_sid", "to", "channel", "status", "valid", "lookup", "amount", "payee", "send_code_attempts", "date_created", "date_updated", "sna", "url"], "properties": { "sid": { "type": "string", "pattern": "^VE[0-9a-fA-F]{32}$" }, "service_sid": { "type": "string", "pattern": "^VA[0-9a-f]{32}$" }, "account_sid": { "type": "string", "pattern": "^AC[0-9a-f]{32}$" }, "to": { "type": "string", "maxLength": 16, "pattern": "^\\+[1-9][0-9]{1,14}$" }, "channel": { "type": "string", "enum": ["sms", "whatsapp", "auto"] }, "status": { "type": "string", "enum": ["pending", "approved", "canceled", "max_attempts_reached", "expired", "failed", "deleted"] }, "valid": { "type": "boolean" }, "lookup": { "type": "object" }, "amount": { "type": "string", "nullable": true }, "payee": { "type": "string", "nullable": true }, "send_code_attempts": { "type": "array", "items": { "type": "object", "required": ["attempt_sid", "channel", "time"], "properties": { "attempt_sid": { "type": "string", "pattern": "^VL[0-9a-f]{32}$" }, "channel": { "type": "string", "enum": ["sms", "whatsapp", "auto"] }, "time": { "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$" } }, "additionalProperties": false } }, "date_created": { "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$" }, "date_updated": { "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$" }, "sna": { "type": "object", "nullable": true }, "url": { "type": "string" } }, "additionalProperties": false };
var func133 = require_ucs2length().default;
var pattern8 = new RegExp("^VE[0-9a-fA-F]{32}$", "u");
var pattern11 = new RegExp("^\\+[1-9][0-9]{1,14}$", "u");
var pattern12 = new RegExp("^VL[0-9a-f]{32}$", "u");
function validate39(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.sid === void 0 || !func0.call(data, "sid")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "sid" }, message: "must have required property 'sid'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.service_sid === void 0 || !func0.call(data, "service_sid")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "service_sid" }, message: "must have required property 'service_sid'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.account_sid === void 0 || !func0.call(data, "account_sid")) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "account_sid" }, message: "must have required property 'account_sid'" };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.to === void 0 || !func0.call(data, "to")) {
      const err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "to" }, message: "must have required property 'to'" };
      if (vErrors === null) {
        vErrors = [err3];
      } else {
        vErrors.push(err3);
      }
      errors++;
    }
    if (data.channel === void 0 || !func0.call(data, "channel")) {
      const err4 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "channel" }, message: "must have required property 'channel'" };
      if (vErrors === null) {
        vErrors = [err4];
      } else {
        vErrors.push(err4);
      }
      errors++;
    }
    if (data.status === void 0 || !func0.call(data, "status")) {
      const err5 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "status" }, message: "must have required property 'status'" };
      if (vErrors === null) {
        vErrors = [err5];
      } else {
        vErrors.push(err5);
      }
      errors++;
    }
    if (data.valid === void 0 || !func0.call(data, "valid")) {
      const err6 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "valid" }, message: "must have required property 'valid'" };
      if (vErrors === null) {
        vErrors = [err6];
      } else {
        vErrors.push(err6);
      }
      errors++;
    }
    if (data.lookup === void 0 || !func0.call(data, "lookup")) {
      const err7 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "lookup" }, message: "must have required property 'lookup'" };
      if (vErrors === null) {
        vErrors = [err7];
      } else {
        vErrors.push(err7);
      }
      errors++;
    }
    if (data.amount === void 0 || !func0.call(data, "amount")) {
      const err8 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "amount" }, message: "must have required property 'amount'" };
      if (vErrors === null) {
        vErrors = [err8];
      } else {
        vErrors.push(err8);
      }
      errors++;
    }
    if (data.payee === void 0 || !func0.call(data, "payee")) {
      const err9 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "payee" }, message: "must have required property 'payee'" };
      if (vErrors === null) {
        vErrors = [err9];
      } else {
        vErrors.push(err9);
      }
      errors++;
    }
    if (data.send_code_attempts === void 0 || !func0.call(data, "send_code_attempts")) {
      const err10 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "send_code_attempts" }, message: "must have required property 'send_code_attempts'" };
      if (vErrors === null) {
        vErrors = [err10];
      } else {
        vErrors.push(err10);
      }
      errors++;
    }
    if (data.date_created === void 0 || !func0.call(data, "date_created")) {
      const err11 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "date_created" }, message: "must have required property 'date_created'" };
      if (vErrors === null) {
        vErrors = [err11];
      } else {
        vErrors.push(err11);
      }
      errors++;
    }
    if (data.date_updated === void 0 || !func0.call(data, "date_updated")) {
      const err12 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "date_updated" }, message: "must have required property 'date_updated'" };
      if (vErrors === null) {
        vErrors = [err12];
      } else {
        vErrors.push(err12);
      }
      errors++;
    }
    if (data.sna === void 0 || !func0.call(data, "sna")) {
      const err13 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "sna" }, message: "must have required property 'sna'" };
      if (vErrors === null) {
        vErrors = [err13];
      } else {
        vErrors.push(err13);
      }
      errors++;
    }
    if (data.url === void 0 || !func0.call(data, "url")) {
      const err14 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "url" }, message: "must have required property 'url'" };
      if (vErrors === null) {
        vErrors = [err14];
      } else {
        vErrors.push(err14);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!func0.call(schema16.properties, key0)) {
        const err15 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err15];
        } else {
          vErrors.push(err15);
        }
        errors++;
      }
    }
    if (data.sid !== void 0 && func0.call(data, "sid")) {
      let data0 = data.sid;
      if (typeof data0 === "string") {
        if (!pattern8.test(data0)) {
          const err16 = { instancePath: instancePath + "/sid", schemaPath: "#/properties/sid/pattern", keyword: "pattern", params: { pattern: "^VE[0-9a-fA-F]{32}$" }, message: 'must match pattern "^VE[0-9a-fA-F]{32}$"' };
          if (vErrors === null) {
            vErrors = [err16];
          } else {
            vErrors.push(err16);
          }
          errors++;
        }
      } else {
        const err17 = { instancePath: instancePath + "/sid", schemaPath: "#/properties/sid/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err17];
        } else {
          vErrors.push(err17);
        }
        errors++;
      }
    }
    if (data.service_sid !== void 0 && func0.call(data, "service_sid")) {
      let data1 = data.service_sid;
      if (typeof data1 === "string") {
        if (!pattern1.test(data1)) {
          const err18 = { instancePath: instancePath + "/service_sid", schemaPath: "#/properties/service_sid/pattern", keyword: "pattern", params: { pattern: "^VA[0-9a-f]{32}$" }, message: 'must match pattern "^VA[0-9a-f]{32}$"' };
          if (vErrors === null) {
            vErrors = [err18];
          } else {
            vErrors.push(err18);
          }
          errors++;
        }
      } else {
        const err19 = { instancePath: instancePath + "/service_sid", schemaPath: "#/properties/service_sid/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err19];
        } else {
          vErrors.push(err19);
        }
        errors++;
      }
    }
    if (data.account_sid !== void 0 && func0.call(data, "account_sid")) {
      let data2 = data.account_sid;
      if (typeof data2 === "string") {
        if (!pattern2.test(data2)) {
          const err20 = { instancePath: instancePath + "/account_sid", schemaPath: "#/properties/account_sid/pattern", keyword: "pattern", params: { pattern: "^AC[0-9a-f]{32}$" }, message: 'must match pattern "^AC[0-9a-f]{32}$"' };
          if (vErrors === null) {
            vErrors = [err20];
          } else {
            vErrors.push(err20);
          }
          errors++;
        }
      } else {
        const err21 = { instancePath: instancePath + "/account_sid", schemaPath: "#/properties/account_sid/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err21];
        } else {
          vErrors.push(err21);
        }
        errors++;
      }
    }
    if (data.to !== void 0 && func0.call(data, "to")) {
      let data3 = data.to;
      if (typeof data3 === "string") {
        if (func133(data3) > 16) {
          const err22 = { instancePath: instancePath + "/to", schemaPath: "#/properties/to/maxLength", keyword: "maxLength", params: { limit: 16 }, message: "must NOT have more than 16 characters" };
          if (vErrors === null) {
            vErrors = [err22];
          } else {
            vErrors.push(err22);
          }
          errors++;
        }
        if (!pattern11.test(data3)) {
          const err23 = { instancePath: instancePath + "/to", schemaPath: "#/properties/to/pattern", keyword: "pattern", params: { pattern: "^\\+[1-9][0-9]{1,14}$" }, message: 'must match pattern "^\\+[1-9][0-9]{1,14}$"' };
          if (vErrors === null) {
            vErrors = [err23];
          } else {
            vErrors.push(err23);
          }
          errors++;
        }
      } else {
        const err24 = { instancePath: instancePath + "/to", schemaPath: "#/properties/to/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err24];
        } else {
          vErrors.push(err24);
        }
        errors++;
      }
    }
    if (data.channel !== void 0 && func0.call(data, "channel")) {
      let data4 = data.channel;
      if (typeof data4 !== "string") {
        const err25 = { instancePath: instancePath + "/channel", schemaPath: "#/properties/channel/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err25];
        } else {
          vErrors.push(err25);
        }
        errors++;
      }
      if (!(data4 === "sms" || data4 === "whatsapp" || data4 === "auto")) {
        const err26 = { instancePath: instancePath + "/channel", schemaPath: "#/properties/channel/enum", keyword: "enum", params: { allowedValues: schema16.properties.channel.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err26];
        } else {
          vErrors.push(err26);
        }
        errors++;
      }
    }
    if (data.status !== void 0 && func0.call(data, "status")) {
      let data5 = data.status;
      if (typeof data5 !== "string") {
        const err27 = { instancePath: instancePath + "/status", schemaPath: "#/properties/status/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err27];
        } else {
          vErrors.push(err27);
        }
        errors++;
      }
      if (!(data5 === "pending" || data5 === "approved" || data5 === "canceled" || data5 === "max_attempts_reached" || data5 === "expired" || data5 === "failed" || data5 === "deleted")) {
        const err28 = { instancePath: instancePath + "/status", schemaPath: "#/properties/status/enum", keyword: "enum", params: { allowedValues: schema16.properties.status.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err28];
        } else {
          vErrors.push(err28);
        }
        errors++;
      }
    }
    if (data.valid !== void 0 && func0.call(data, "valid")) {
      if (typeof data.valid !== "boolean") {
        const err29 = { instancePath: instancePath + "/valid", schemaPath: "#/properties/valid/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err29];
        } else {
          vErrors.push(err29);
        }
        errors++;
      }
    }
    if (data.lookup !== void 0 && func0.call(data, "lookup")) {
      let data7 = data.lookup;
      if (!(data7 && typeof data7 == "object" && !Array.isArray(data7))) {
        const err30 = { instancePath: instancePath + "/lookup", schemaPath: "#/properties/lookup/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err30];
        } else {
          vErrors.push(err30);
        }
        errors++;
      }
    }
    if (data.amount !== void 0 && func0.call(data, "amount")) {
      let data8 = data.amount;
      if (typeof data8 !== "string" && data8 !== null) {
        const err31 = { instancePath: instancePath + "/amount", schemaPath: "#/properties/amount/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err31];
        } else {
          vErrors.push(err31);
        }
        errors++;
      }
    }
    if (data.payee !== void 0 && func0.call(data, "payee")) {
      let data9 = data.payee;
      if (typeof data9 !== "string" && data9 !== null) {
        const err32 = { instancePath: instancePath + "/payee", schemaPath: "#/properties/payee/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err32];
        } else {
          vErrors.push(err32);
        }
        errors++;
      }
    }
    if (data.send_code_attempts !== void 0 && func0.call(data, "send_code_attempts")) {
      let data10 = data.send_code_attempts;
      if (Array.isArray(data10)) {
        const len0 = data10.length;
        for (let i0 = 0; i0 < len0; i0++) {
          let data11 = data10[i0];
          if (data11 && typeof data11 == "object" && !Array.isArray(data11)) {
            if (data11.attempt_sid === void 0 || !func0.call(data11, "attempt_sid")) {
              const err33 = { instancePath: instancePath + "/send_code_attempts/" + i0, schemaPath: "#/properties/send_code_attempts/items/required", keyword: "required", params: { missingProperty: "attempt_sid" }, message: "must have required property 'attempt_sid'" };
              if (vErrors === null) {
                vErrors = [err33];
              } else {
                vErrors.push(err33);
              }
              errors++;
            }
            if (data11.channel === void 0 || !func0.call(data11, "channel")) {
              const err34 = { instancePath: instancePath + "/send_code_attempts/" + i0, schemaPath: "#/properties/send_code_attempts/items/required", keyword: "required", params: { missingProperty: "channel" }, message: "must have required property 'channel'" };
              if (vErrors === null) {
                vErrors = [err34];
              } else {
                vErrors.push(err34);
              }
              errors++;
            }
            if (data11.time === void 0 || !func0.call(data11, "time")) {
              const err35 = { instancePath: instancePath + "/send_code_attempts/" + i0, schemaPath: "#/properties/send_code_attempts/items/required", keyword: "required", params: { missingProperty: "time" }, message: "must have required property 'time'" };
              if (vErrors === null) {
                vErrors = [err35];
              } else {
                vErrors.push(err35);
              }
              errors++;
            }
            for (const key1 of Object.keys(data11)) {
              if (!(key1 === "attempt_sid" || key1 === "channel" || key1 === "time")) {
                const err36 = { instancePath: instancePath + "/send_code_attempts/" + i0, schemaPath: "#/properties/send_code_attempts/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
                if (vErrors === null) {
                  vErrors = [err36];
                } else {
                  vErrors.push(err36);
                }
                errors++;
              }
            }
            if (data11.attempt_sid !== void 0 && func0.call(data11, "attempt_sid")) {
              let data12 = data11.attempt_sid;
              if (typeof data12 === "string") {
                if (!pattern12.test(data12)) {
                  const err37 = { instancePath: instancePath + "/send_code_attempts/" + i0 + "/attempt_sid", schemaPath: "#/properties/send_code_attempts/items/properties/attempt_sid/pattern", keyword: "pattern", params: { pattern: "^VL[0-9a-f]{32}$" }, message: 'must match pattern "^VL[0-9a-f]{32}$"' };
                  if (vErrors === null) {
                    vErrors = [err37];
                  } else {
                    vErrors.push(err37);
                  }
                  errors++;
                }
              } else {
                const err38 = { instancePath: instancePath + "/send_code_attempts/" + i0 + "/attempt_sid", schemaPath: "#/properties/send_code_attempts/items/properties/attempt_sid/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err38];
                } else {
                  vErrors.push(err38);
                }
                errors++;
              }
            }
            if (data11.channel !== void 0 && func0.call(data11, "channel")) {
              let data13 = data11.channel;
              if (typeof data13 !== "string") {
                const err39 = { instancePath: instancePath + "/send_code_attempts/" + i0 + "/channel", schemaPath: "#/properties/send_code_attempts/items/properties/channel/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err39];
                } else {
                  vErrors.push(err39);
                }
                errors++;
              }
              if (!(data13 === "sms" || data13 === "whatsapp" || data13 === "auto")) {
                const err40 = { instancePath: instancePath + "/send_code_attempts/" + i0 + "/channel", schemaPath: "#/properties/send_code_attempts/items/properties/channel/enum", keyword: "enum", params: { allowedValues: schema16.properties.send_code_attempts.items.properties.channel.enum }, message: "must be equal to one of the allowed values" };
                if (vErrors === null) {
                  vErrors = [err40];
                } else {
                  vErrors.push(err40);
                }
                errors++;
              }
            }
            if (data11.time !== void 0 && func0.call(data11, "time")) {
              let data14 = data11.time;
              if (typeof data14 === "string") {
                if (!pattern3.test(data14)) {
                  const err41 = { instancePath: instancePath + "/send_code_attempts/" + i0 + "/time", schemaPath: "#/properties/send_code_attempts/items/properties/time/pattern", keyword: "pattern", params: { pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$" }, message: 'must match pattern "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"' };
                  if (vErrors === null) {
                    vErrors = [err41];
                  } else {
                    vErrors.push(err41);
                  }
                  errors++;
                }
              } else {
                const err42 = { instancePath: instancePath + "/send_code_attempts/" + i0 + "/time", schemaPath: "#/properties/send_code_attempts/items/properties/time/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err42];
                } else {
                  vErrors.push(err42);
                }
                errors++;
              }
            }
          } else {
            const err43 = { instancePath: instancePath + "/send_code_attempts/" + i0, schemaPath: "#/properties/send_code_attempts/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            if (vErrors === null) {
              vErrors = [err43];
            } else {
              vErrors.push(err43);
            }
            errors++;
          }
        }
      } else {
        const err44 = { instancePath: instancePath + "/send_code_attempts", schemaPath: "#/properties/send_code_attempts/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        if (vErrors === null) {
          vErrors = [err44];
        } else {
          vErrors.push(err44);
        }
        errors++;
      }
    }
    if (data.date_created !== void 0 && func0.call(data, "date_created")) {
      let data15 = data.date_created;
      if (typeof data15 === "string") {
        if (!pattern3.test(data15)) {
          const err45 = { instancePath: instancePath + "/date_created", schemaPath: "#/properties/date_created/pattern", keyword: "pattern", params: { pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$" }, message: 'must match pattern "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"' };
          if (vErrors === null) {
            vErrors = [err45];
          } else {
            vErrors.push(err45);
          }
          errors++;
        }
      } else {
        const err46 = { instancePath: instancePath + "/date_created", schemaPath: "#/properties/date_created/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err46];
        } else {
          vErrors.push(err46);
        }
        errors++;
      }
    }
    if (data.date_updated !== void 0 && func0.call(data, "date_updated")) {
      let data16 = data.date_updated;
      if (typeof data16 === "string") {
        if (!pattern3.test(data16)) {
          const err47 = { instancePath: instancePath + "/date_updated", schemaPath: "#/properties/date_updated/pattern", keyword: "pattern", params: { pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$" }, message: 'must match pattern "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"' };
          if (vErrors === null) {
            vErrors = [err47];
          } else {
            vErrors.push(err47);
          }
          errors++;
        }
      } else {
        const err48 = { instancePath: instancePath + "/date_updated", schemaPath: "#/properties/date_updated/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err48];
        } else {
          vErrors.push(err48);
        }
        errors++;
      }
    }
    if (data.sna !== void 0 && func0.call(data, "sna")) {
      let data17 = data.sna;
      if (!(data17 && typeof data17 == "object" && !Array.isArray(data17)) && data17 !== null) {
        const err49 = { instancePath: instancePath + "/sna", schemaPath: "#/properties/sna/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err49];
        } else {
          vErrors.push(err49);
        }
        errors++;
      }
    }
    if (data.url !== void 0 && func0.call(data, "url")) {
      if (typeof data.url !== "string") {
        const err50 = { instancePath: instancePath + "/url", schemaPath: "#/properties/url/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err50];
        } else {
          vErrors.push(err50);
        }
        errors++;
      }
    }
  } else {
    const err51 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err51];
    } else {
      vErrors.push(err51);
    }
    errors++;
  }
  validate39.errors = vErrors;
  return errors === 0;
}
exports["createVerification.201"] = validate40;
function validate40(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
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
      if (!validate38(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate38.errors : vErrors.concat(validate38.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate39(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate39.errors : vErrors.concat(validate39.errors);
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
  validate40.errors = vErrors;
  return errors === 0;
}
exports["createVerification.400"] = validate43;
function validate43(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
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
      if (!validate38(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate38.errors : vErrors.concat(validate38.errors);
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
  validate43.errors = vErrors;
  return errors === 0;
}
exports["fetchVerification.200"] = validate46;
function validate46(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
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
      if (!validate39(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate39.errors : vErrors.concat(validate39.errors);
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
  validate46.errors = vErrors;
  return errors === 0;
}
exports["createVerificationCheck.200.body"] = validate49;
var schema20 = { "type": "object", "required": ["sid", "service_sid", "account_sid", "to", "channel", "status", "valid", "amount", "payee", "date_created", "date_updated", "sna_attempts_error_codes"], "properties": { "sid": { "type": "string", "pattern": "^VE[0-9a-fA-F]{32}$" }, "service_sid": { "type": "string", "pattern": "^VA[0-9a-f]{32}$" }, "account_sid": { "type": "string", "pattern": "^AC[0-9a-f]{32}$" }, "to": { "type": "string", "maxLength": 16, "pattern": "^\\+[1-9][0-9]{1,14}$" }, "channel": { "type": "string", "enum": ["sms", "whatsapp", "auto"] }, "status": { "type": "string", "enum": ["pending", "approved", "canceled", "max_attempts_reached", "expired", "failed", "deleted"] }, "valid": { "type": "boolean" }, "amount": { "type": "string", "nullable": true }, "payee": { "type": "string", "nullable": true }, "date_created": { "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$" }, "date_updated": { "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$" }, "sna_attempts_error_codes": { "type": "array", "nullable": true, "items": { "type": "object" } } }, "additionalProperties": false };
function validate49(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.sid === void 0 || !func0.call(data, "sid")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "sid" }, message: "must have required property 'sid'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.service_sid === void 0 || !func0.call(data, "service_sid")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "service_sid" }, message: "must have required property 'service_sid'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.account_sid === void 0 || !func0.call(data, "account_sid")) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "account_sid" }, message: "must have required property 'account_sid'" };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.to === void 0 || !func0.call(data, "to")) {
      const err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "to" }, message: "must have required property 'to'" };
      if (vErrors === null) {
        vErrors = [err3];
      } else {
        vErrors.push(err3);
      }
      errors++;
    }
    if (data.channel === void 0 || !func0.call(data, "channel")) {
      const err4 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "channel" }, message: "must have required property 'channel'" };
      if (vErrors === null) {
        vErrors = [err4];
      } else {
        vErrors.push(err4);
      }
      errors++;
    }
    if (data.status === void 0 || !func0.call(data, "status")) {
      const err5 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "status" }, message: "must have required property 'status'" };
      if (vErrors === null) {
        vErrors = [err5];
      } else {
        vErrors.push(err5);
      }
      errors++;
    }
    if (data.valid === void 0 || !func0.call(data, "valid")) {
      const err6 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "valid" }, message: "must have required property 'valid'" };
      if (vErrors === null) {
        vErrors = [err6];
      } else {
        vErrors.push(err6);
      }
      errors++;
    }
    if (data.amount === void 0 || !func0.call(data, "amount")) {
      const err7 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "amount" }, message: "must have required property 'amount'" };
      if (vErrors === null) {
        vErrors = [err7];
      } else {
        vErrors.push(err7);
      }
      errors++;
    }
    if (data.payee === void 0 || !func0.call(data, "payee")) {
      const err8 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "payee" }, message: "must have required property 'payee'" };
      if (vErrors === null) {
        vErrors = [err8];
      } else {
        vErrors.push(err8);
      }
      errors++;
    }
    if (data.date_created === void 0 || !func0.call(data, "date_created")) {
      const err9 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "date_created" }, message: "must have required property 'date_created'" };
      if (vErrors === null) {
        vErrors = [err9];
      } else {
        vErrors.push(err9);
      }
      errors++;
    }
    if (data.date_updated === void 0 || !func0.call(data, "date_updated")) {
      const err10 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "date_updated" }, message: "must have required property 'date_updated'" };
      if (vErrors === null) {
        vErrors = [err10];
      } else {
        vErrors.push(err10);
      }
      errors++;
    }
    if (data.sna_attempts_error_codes === void 0 || !func0.call(data, "sna_attempts_error_codes")) {
      const err11 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "sna_attempts_error_codes" }, message: "must have required property 'sna_attempts_error_codes'" };
      if (vErrors === null) {
        vErrors = [err11];
      } else {
        vErrors.push(err11);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!func0.call(schema20.properties, key0)) {
        const err12 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err12];
        } else {
          vErrors.push(err12);
        }
        errors++;
      }
    }
    if (data.sid !== void 0 && func0.call(data, "sid")) {
      let data0 = data.sid;
      if (typeof data0 === "string") {
        if (!pattern8.test(data0)) {
          const err13 = { instancePath: instancePath + "/sid", schemaPath: "#/properties/sid/pattern", keyword: "pattern", params: { pattern: "^VE[0-9a-fA-F]{32}$" }, message: 'must match pattern "^VE[0-9a-fA-F]{32}$"' };
          if (vErrors === null) {
            vErrors = [err13];
          } else {
            vErrors.push(err13);
          }
          errors++;
        }
      } else {
        const err14 = { instancePath: instancePath + "/sid", schemaPath: "#/properties/sid/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err14];
        } else {
          vErrors.push(err14);
        }
        errors++;
      }
    }
    if (data.service_sid !== void 0 && func0.call(data, "service_sid")) {
      let data1 = data.service_sid;
      if (typeof data1 === "string") {
        if (!pattern1.test(data1)) {
          const err15 = { instancePath: instancePath + "/service_sid", schemaPath: "#/properties/service_sid/pattern", keyword: "pattern", params: { pattern: "^VA[0-9a-f]{32}$" }, message: 'must match pattern "^VA[0-9a-f]{32}$"' };
          if (vErrors === null) {
            vErrors = [err15];
          } else {
            vErrors.push(err15);
          }
          errors++;
        }
      } else {
        const err16 = { instancePath: instancePath + "/service_sid", schemaPath: "#/properties/service_sid/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err16];
        } else {
          vErrors.push(err16);
        }
        errors++;
      }
    }
    if (data.account_sid !== void 0 && func0.call(data, "account_sid")) {
      let data2 = data.account_sid;
      if (typeof data2 === "string") {
        if (!pattern2.test(data2)) {
          const err17 = { instancePath: instancePath + "/account_sid", schemaPath: "#/properties/account_sid/pattern", keyword: "pattern", params: { pattern: "^AC[0-9a-f]{32}$" }, message: 'must match pattern "^AC[0-9a-f]{32}$"' };
          if (vErrors === null) {
            vErrors = [err17];
          } else {
            vErrors.push(err17);
          }
          errors++;
        }
      } else {
        const err18 = { instancePath: instancePath + "/account_sid", schemaPath: "#/properties/account_sid/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err18];
        } else {
          vErrors.push(err18);
        }
        errors++;
      }
    }
    if (data.to !== void 0 && func0.call(data, "to")) {
      let data3 = data.to;
      if (typeof data3 === "string") {
        if (func133(data3) > 16) {
          const err19 = { instancePath: instancePath + "/to", schemaPath: "#/properties/to/maxLength", keyword: "maxLength", params: { limit: 16 }, message: "must NOT have more than 16 characters" };
          if (vErrors === null) {
            vErrors = [err19];
          } else {
            vErrors.push(err19);
          }
          errors++;
        }
        if (!pattern11.test(data3)) {
          const err20 = { instancePath: instancePath + "/to", schemaPath: "#/properties/to/pattern", keyword: "pattern", params: { pattern: "^\\+[1-9][0-9]{1,14}$" }, message: 'must match pattern "^\\+[1-9][0-9]{1,14}$"' };
          if (vErrors === null) {
            vErrors = [err20];
          } else {
            vErrors.push(err20);
          }
          errors++;
        }
      } else {
        const err21 = { instancePath: instancePath + "/to", schemaPath: "#/properties/to/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err21];
        } else {
          vErrors.push(err21);
        }
        errors++;
      }
    }
    if (data.channel !== void 0 && func0.call(data, "channel")) {
      let data4 = data.channel;
      if (typeof data4 !== "string") {
        const err22 = { instancePath: instancePath + "/channel", schemaPath: "#/properties/channel/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err22];
        } else {
          vErrors.push(err22);
        }
        errors++;
      }
      if (!(data4 === "sms" || data4 === "whatsapp" || data4 === "auto")) {
        const err23 = { instancePath: instancePath + "/channel", schemaPath: "#/properties/channel/enum", keyword: "enum", params: { allowedValues: schema20.properties.channel.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err23];
        } else {
          vErrors.push(err23);
        }
        errors++;
      }
    }
    if (data.status !== void 0 && func0.call(data, "status")) {
      let data5 = data.status;
      if (typeof data5 !== "string") {
        const err24 = { instancePath: instancePath + "/status", schemaPath: "#/properties/status/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err24];
        } else {
          vErrors.push(err24);
        }
        errors++;
      }
      if (!(data5 === "pending" || data5 === "approved" || data5 === "canceled" || data5 === "max_attempts_reached" || data5 === "expired" || data5 === "failed" || data5 === "deleted")) {
        const err25 = { instancePath: instancePath + "/status", schemaPath: "#/properties/status/enum", keyword: "enum", params: { allowedValues: schema20.properties.status.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err25];
        } else {
          vErrors.push(err25);
        }
        errors++;
      }
    }
    if (data.valid !== void 0 && func0.call(data, "valid")) {
      if (typeof data.valid !== "boolean") {
        const err26 = { instancePath: instancePath + "/valid", schemaPath: "#/properties/valid/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        if (vErrors === null) {
          vErrors = [err26];
        } else {
          vErrors.push(err26);
        }
        errors++;
      }
    }
    if (data.amount !== void 0 && func0.call(data, "amount")) {
      let data7 = data.amount;
      if (typeof data7 !== "string" && data7 !== null) {
        const err27 = { instancePath: instancePath + "/amount", schemaPath: "#/properties/amount/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err27];
        } else {
          vErrors.push(err27);
        }
        errors++;
      }
    }
    if (data.payee !== void 0 && func0.call(data, "payee")) {
      let data8 = data.payee;
      if (typeof data8 !== "string" && data8 !== null) {
        const err28 = { instancePath: instancePath + "/payee", schemaPath: "#/properties/payee/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err28];
        } else {
          vErrors.push(err28);
        }
        errors++;
      }
    }
    if (data.date_created !== void 0 && func0.call(data, "date_created")) {
      let data9 = data.date_created;
      if (typeof data9 === "string") {
        if (!pattern3.test(data9)) {
          const err29 = { instancePath: instancePath + "/date_created", schemaPath: "#/properties/date_created/pattern", keyword: "pattern", params: { pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$" }, message: 'must match pattern "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"' };
          if (vErrors === null) {
            vErrors = [err29];
          } else {
            vErrors.push(err29);
          }
          errors++;
        }
      } else {
        const err30 = { instancePath: instancePath + "/date_created", schemaPath: "#/properties/date_created/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err30];
        } else {
          vErrors.push(err30);
        }
        errors++;
      }
    }
    if (data.date_updated !== void 0 && func0.call(data, "date_updated")) {
      let data10 = data.date_updated;
      if (typeof data10 === "string") {
        if (!pattern3.test(data10)) {
          const err31 = { instancePath: instancePath + "/date_updated", schemaPath: "#/properties/date_updated/pattern", keyword: "pattern", params: { pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$" }, message: 'must match pattern "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"' };
          if (vErrors === null) {
            vErrors = [err31];
          } else {
            vErrors.push(err31);
          }
          errors++;
        }
      } else {
        const err32 = { instancePath: instancePath + "/date_updated", schemaPath: "#/properties/date_updated/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err32];
        } else {
          vErrors.push(err32);
        }
        errors++;
      }
    }
    if (data.sna_attempts_error_codes !== void 0 && func0.call(data, "sna_attempts_error_codes")) {
      let data11 = data.sna_attempts_error_codes;
      if (!Array.isArray(data11) && data11 !== null) {
        const err33 = { instancePath: instancePath + "/sna_attempts_error_codes", schemaPath: "#/properties/sna_attempts_error_codes/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        if (vErrors === null) {
          vErrors = [err33];
        } else {
          vErrors.push(err33);
        }
        errors++;
      }
      if (Array.isArray(data11)) {
        const len0 = data11.length;
        for (let i0 = 0; i0 < len0; i0++) {
          let data12 = data11[i0];
          if (!(data12 && typeof data12 == "object" && !Array.isArray(data12))) {
            const err34 = { instancePath: instancePath + "/sna_attempts_error_codes/" + i0, schemaPath: "#/properties/sna_attempts_error_codes/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            if (vErrors === null) {
              vErrors = [err34];
            } else {
              vErrors.push(err34);
            }
            errors++;
          }
        }
      }
    }
  } else {
    const err35 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err35];
    } else {
      vErrors.push(err35);
    }
    errors++;
  }
  validate49.errors = vErrors;
  return errors === 0;
}
exports["createVerificationCheck.200"] = validate50;
function validate50(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
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
      if (!validate38(data.headers, { instancePath: instancePath + "/headers", parentData: data, parentDataProperty: "headers", rootData })) {
        vErrors = vErrors === null ? validate38.errors : vErrors.concat(validate38.errors);
        errors = vErrors.length;
      }
    }
    if (data.body !== void 0 && func0.call(data, "body")) {
      if (!validate49(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate49.errors : vErrors.concat(validate49.errors);
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
  validate50.errors = vErrors;
  return errors === 0;
}
exports.errorResponse = validate53;
function validate53(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
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
      if (!validate26(data.body, { instancePath: instancePath + "/body", parentData: data, parentDataProperty: "body", rootData })) {
        vErrors = vErrors === null ? validate26.errors : vErrors.concat(validate26.errors);
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
  validate53.errors = vErrors;
  return errors === 0;
}
var replies = {
  fetchService: {
    200: exports["fetchService.200"],
    400: exports["fetchService.400"],
    401: exports["fetchService.401"],
    403: exports["fetchService.400"],
    404: exports["fetchService.400"],
    429: exports["fetchService.429"],
    500: exports["fetchService.400"],
    503: exports["fetchService.429"]
  },
  createVerification: {
    201: exports["createVerification.201"],
    400: exports["createVerification.400"],
    401: exports["fetchService.401"],
    403: exports["fetchService.400"],
    404: exports["createVerification.400"],
    409: exports["fetchService.400"],
    413: exports["fetchService.400"],
    415: exports["fetchService.400"],
    429: exports["fetchService.429"],
    500: exports["fetchService.400"],
    503: exports["fetchService.429"]
  },
  fetchVerification: {
    200: exports["fetchVerification.200"],
    400: exports["fetchService.400"],
    401: exports["fetchService.401"],
    403: exports["fetchService.400"],
    404: exports["fetchService.400"],
    429: exports["fetchService.429"],
    500: exports["fetchService.400"],
    503: exports["fetchService.429"]
  },
  updateVerification: {
    200: exports["createVerification.201"],
    400: exports["createVerification.400"],
    401: exports["fetchService.401"],
    403: exports["fetchService.400"],
    404: exports["createVerification.400"],
    409: exports["fetchService.400"],
    413: exports["fetchService.400"],
    415: exports["fetchService.400"],
    429: exports["fetchService.429"],
    500: exports["fetchService.400"],
    503: exports["fetchService.429"]
  },
  createVerificationCheck: {
    200: exports["createVerificationCheck.200"],
    400: exports["createVerification.400"],
    401: exports["fetchService.401"],
    403: exports["fetchService.400"],
    404: exports["createVerification.400"],
    409: exports["fetchService.400"],
    413: exports["fetchService.400"],
    415: exports["fetchService.400"],
    429: exports["fetchService.429"],
    500: exports["fetchService.400"],
    503: exports["fetchService.429"]
  }
};
var errorResponse = exports["errorResponse"];
export {
  errorResponse,
  replies
};
