// A team that writes Go, with the client that openapi-generator makes.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
)

const unknown = "req_00000000000000000000000000"

var limits = map[string]string{
	"resend_cooldown":    "wait a minute",
	"send_limit_reached": "come back later",
	"rate_limited":       "ask less often",
}

// VariableValue is any of text, number and boolean: of such a type, 4.3.1 makes one that holds nothing.
type VariableValue = interface{}

func drive(url, key string) map[string]string {
	api, ctx := connect(url, key)
	send := func(request SendVerificationRequest, once string) (SendVerificationReply, *http.Response, error) {
		return api.VerificationApi.SendVerification(ctx).SendVerificationRequest(request).IdempotencyKey(once).Execute()
	}
	check := func(id, code string) (CheckVerificationReply, *http.Response, error) {
		request := CheckVerificationRequest{RequestId: id, Code: code}
		return api.VerificationApi.CheckVerification(ctx).CheckVerificationRequest(request).Execute()
	}
	notify := func(variables *map[string]VariableValue) (SendNotificationReply, *http.Response, error) {
		request := SendNotificationRequest{Phone: "+14155550100", Template: "welcome", Variables: variables}
		return api.NotificationsApi.SendNotification(ctx).SendNotificationRequest(request).Execute()
	}
	brand, once := "Acme", fmt.Sprintf("drive-%d", os.Getpid())
	standard := SendVerificationRequest{Phone: "+14155550100", BrandName: &brand}
	sent := taken(send(standard, once)).Data
	again := taken(send(standard, once)).Data
	wrong := taken(check(sent.RequestId, "123456")).Data
	right := taken(check(sent.RequestId, "000000")).Data
	message := taken(api.MessagesApi.GetMessage(ctx, sent.RequestId).Execute()).Data
	listed := taken(api.MessagesApi.ListMessages(ctx).Phone("+14155550100").Limit(100).Execute()).Data.Messages
	notified := taken(notify(&map[string]VariableValue{"name": "Ada"})).Data
	hasty := refused[LimitedSendVerificationError](429)(send(SendVerificationRequest{Phone: "+14155550160"}, once+"-hasty")).Data
	invalid := refused[InvalidSendVerificationError](400)(send(SendVerificationRequest{Phone: "0100"}, once+"-invalid")).Data
	unfilled := refused[InvalidSendNotificationError](400)(notify(nil)).Data
	missing := refused[VerificationNotFoundError](404)(check(unknown, "000000")).Data
	_, ctx = connect(url, "ww_test_unknown")
	stranger := refused[UnauthorizedError](401)(send(standard, once)).Data
	outcome := map[string]string{
		"sent":                fmt.Sprintf("%s for %d seconds", sent.Status, sent.ExpiresIn),
		"repeated":            "another answer",
		"wrongCode":           judge(wrong),
		"rightCode":           judge(right),
		"message":             string(message.Status),
		"listed":              "missing",
		"notification":        string(notified.Status),
		"invalidPhone":        explain(invalid.Code, *invalid.Details),
		"missingVariable":     explain(unfilled.Code, *unfilled.Details),
		"unknownKey":          stranger.Code,
		"unknownVerification": missing.Code,
		"tooSoon":             fmt.Sprintf("%s: %d seconds", hasty.Code, hasty.RetryAfter),
		"advice":              limits[hasty.Code],
	}
	if again.RequestId == sent.RequestId {
		outcome["repeated"] = "the same answer"
	}
	for _, each := range listed {
		if each.Id == sent.RequestId {
			outcome["listed"] = "there"
		}
	}
	if message.Error != nil {
		outcome["message"] = message.Error.Code
	}
	return outcome
}

func refusal(url string) string {
	api, ctx := connect(url, "any")
	problem := refused[MessageNotFoundError](404)(api.MessagesApi.GetMessage(ctx, unknown).Execute()).Data
	return fmt.Sprintf("404 %s", problem.Code)
}

func connect(url, key string) (*APIClient, context.Context) {
	configuration := NewConfiguration()
	configuration.Servers = []ServerConfiguration{{URL: url}}
	return NewAPIClient(configuration), context.WithValue(context.Background(), ContextAccessToken, key)
}

func taken[Reply any](reply Reply, _ *http.Response, err error) Reply {
	if err != nil {
		panic(err)
	}
	return reply
}

func refused[Refusal any](status int) func(interface{}, *http.Response, error) Refusal {
	return func(_ interface{}, response *http.Response, err error) Refusal {
		if err == nil || response.StatusCode != status {
			panic(fmt.Sprint(response.Status, err))
		}
		return err.(GenericOpenAPIError).Model().(Refusal)
	}
}

func judge(check CheckResult) string {
	switch result := check.CheckResultInterface.(type) {
	case *NotVerified:
		return fmt.Sprintf("%s, %d left", result.Reason, result.AttemptsRemaining)
	default:
		return result.GetResult()
	}
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

func main() {
	var said interface{}
	switch os.Args[1] {
	case "drive":
		said = drive(os.Args[2], os.Args[3])
	case "refusal":
		said = refusal(os.Args[2])
	case "echo":
		said = echo()
	}
	written, err := json.Marshal(said)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(written))
}
