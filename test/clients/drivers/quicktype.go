// A team that writes Go: types by quicktype, and the HTTP client that Go has.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

const unknown = "req_00000000000000000000000000"

var limits = map[LimitedSendVerificationProblemCode]string{
	"resend_cooldown":    "wait a minute",
	"send_limit_reached": "come back later",
	"rate_limited":       "ask less often",
}

type service struct{ url, key, once string }

func drive(api service) map[string]string {
	phone, brand := "+14155550100", "Acme"
	standard := SendVerificationRequest{Phone: phone, BrandName: &brand}
	api.once = fmt.Sprintf("drive-%d", os.Getpid())
	sent := taken(UnmarshalSendVerificationReply)(api.ask("/v1/verify/send", standard)).Data
	again := taken(UnmarshalSendVerificationReply)(api.ask("/v1/verify/send", standard)).Data
	api.once = ""
	check := func(id, code string) (int, []byte) {
		return api.ask("/v1/verify/check", CheckVerificationRequest{RequestID: id, Code: code})
	}
	send := func(phone string) (int, []byte) {
		return api.ask("/v1/verify/send", SendVerificationRequest{Phone: phone})
	}
	wrong := taken(UnmarshalCheckVerificationReply)(check(sent.RequestID, "123456")).Data
	right := taken(UnmarshalCheckVerificationReply)(check(sent.RequestID, "000000")).Data
	message := taken(UnmarshalGetMessageReply)(api.ask("/v1/messages/"+sent.RequestID, nil)).Data
	listed := taken(UnmarshalListMessagesReply)(api.ask("/v1/messages?kind=verification&limit=100", nil)).Data.Messages
	name := "Ada"
	welcome := SendNotificationRequest{Phone: phone, Template: "welcome"}
	bare := welcome
	welcome.Variables = map[string]*VariableValue{"name": {String: &name}}
	notified := taken(UnmarshalSendNotificationReply)(api.ask("/v1/notifications/send", welcome)).Data
	hasty := refused(429, UnmarshalLimitedSendVerificationError)(send("+14155550160")).Data
	invalid := refused(400, UnmarshalInvalidSendVerificationError)(send("0100")).Data
	unfilled := refused(400, UnmarshalInvalidSendNotificationError)(api.ask("/v1/notifications/send", bare)).Data
	missing := refused(404, UnmarshalVerificationNotFoundError)(check(unknown, "000000")).Data
	api.key = "ww_test_unknown"
	stranger := refused(401, UnmarshalUnauthorizedError)(send(phone)).Data
	outcome := map[string]string{
		"sent":                fmt.Sprintf("%s for %d seconds", sent.Status, sent.ExpiresIn),
		"repeated":            "another answer",
		"wrongCode":           judge(wrong),
		"rightCode":           judge(right),
		"message":             string(message.Status),
		"listed":              "missing",
		"notification":        string(notified.Status),
		"invalidPhone":        explain(string(invalid.Code), invalid.Details),
		"missingVariable":     explain(string(unfilled.Code), unfilled.Details),
		"unknownKey":          string(stranger.Code),
		"unknownVerification": string(missing.Code),
		"tooSoon":             fmt.Sprintf("%s: %d seconds", hasty.Code, hasty.RetryAfter),
		"advice":              limits[hasty.Code],
	}
	if again.RequestID == sent.RequestID {
		outcome["repeated"] = "the same answer"
	}
	for _, each := range listed {
		if each.ID == sent.RequestID {
			outcome["listed"] = "there"
		}
	}
	if message.Error != nil {
		outcome["message"] = string(message.Error.Code)
	}
	return outcome
}

func refusal(api service) string {
	status, body := api.ask("/v1/messages/"+unknown, nil)
	problem := refused(404, UnmarshalMessageNotFoundError)(status, body).Data
	return fmt.Sprintf("%d %s", status, problem.Code)
}

func (api service) ask(path string, body interface{}) (int, []byte) {
	method, sent := "GET", []byte(nil)
	if body != nil {
		method, sent = "POST", must(json.Marshal(body))
	}
	request := must(http.NewRequest(method, api.url+path, bytes.NewReader(sent)))
	request.Header.Set("Authorization", "Bearer "+api.key)
	request.Header.Set("Content-Type", "application/json")
	if api.once != "" {
		request.Header.Set("Idempotency-Key", api.once)
	}
	response := must(http.DefaultClient.Do(request))
	defer response.Body.Close()
	return response.StatusCode, must(io.ReadAll(response.Body))
}

func taken[Reply any](read func([]byte) (Reply, error)) func(int, []byte) Reply {
	return refused(200, read)
}

func refused[Answer any](wanted int, read func([]byte) (Answer, error)) func(int, []byte) Answer {
	return func(status int, body []byte) Answer {
		if status != wanted {
			panic(string(body))
		}
		return must(read(body))
	}
}

func judge(check CheckResult) string {
	if check.Result == "verified" {
		return "verified"
	}
	return fmt.Sprintf("%s, %d left", *check.Reason, *check.AttemptsRemaining)
}

func explain(code string, details []ErrorDetail) string {
	faults := []string{}
	for _, detail := range details {
		faults = append(faults, fmt.Sprintf("%s %s", detail.Field, detail.Code))
	}
	return code + ": " + strings.Join(faults, ", ")
}

func echo() []interface{} {
	var examples []struct {
		Schema string
		Value  json.RawMessage
	}
	if err := json.NewDecoder(os.Stdin).Decode(&examples); err != nil {
		panic(err)
	}
	echoed := []interface{}{}
	for _, example := range examples {
		read := schemas[example.Schema]()
		if err := json.Unmarshal(example.Value, read); err != nil {
			panic(err)
		}
		echoed = append(echoed, read)
	}
	return echoed
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	var said interface{}
	switch os.Args[1] {
	case "drive":
		said = drive(service{url: os.Args[2], key: os.Args[3]})
	case "refusal":
		said = refusal(service{url: os.Args[2]})
	case "echo":
		said = echo()
	}
	fmt.Println(string(must(json.Marshal(said))))
}
