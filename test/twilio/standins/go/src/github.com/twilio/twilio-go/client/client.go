// Package client stands in for that of Twilio's library: as much as docs/twilio.md uses, and what it refuses.
package client

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

type Credentials struct{ Username, Password string }

func NewCredentials(username string, password string) *Credentials {
	return &Credentials{username, password}
}

type Client struct {
	*Credentials
	HTTPClient *http.Client
	accountSid string
}

func (c *Client) SetAccountSid(sid string) { c.accountSid = sid }

var alphanumeric = regexp.MustCompile(`^[a-zA-Z0-9]*$`)

// Post sends a form to Twilio, and reads its answer.
func (c *Client) Post(path string, form url.Values) (map[string]any, error) {
	if !alphanumeric.MatchString(c.Username) || !alphanumeric.MatchString(c.Password) {
		return nil, errors.New("Illegal chars")
	}
	request, err := http.NewRequest("POST", "https://verify.twilio.com"+path, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	request.SetBasicAuth(c.Username, c.Password)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := c.HTTPClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer := map[string]any{}
	return answer, json.NewDecoder(response.Body).Decode(&answer)
}
