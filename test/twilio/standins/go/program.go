// Starts a verification with the client of the page, and checks it.
package main

import (
	"fmt"
	"net/url"
	"os"
)

func main() {
	client := newClient(os.Getenv("ACCOUNT_SID"), os.Getenv("API_KEY"))
	service, phone := "/v2/Services/"+os.Getenv("SERVICE_SID"), os.Getenv("PHONE")
	started, err := client.Post(service+"/Verifications", url.Values{"To": {phone}, "Channel": {"sms"}})
	if err != nil {
		panic(err)
	}
	checked, err := client.Post(service+"/VerificationCheck", url.Values{"To": {phone}, "Code": {os.Getenv("CODE")}})
	if err != nil {
		panic(err)
	}
	fmt.Println(started["sid"], checked["status"])
}
