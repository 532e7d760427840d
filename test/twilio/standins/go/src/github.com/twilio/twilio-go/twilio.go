// Package twilio stands in for Twilio's library.
package twilio

import "github.com/twilio/twilio-go/client"

type ClientParams struct{ Client *client.Client }

type RestClient struct{ *client.Client }

func NewRestClientWithParams(params ClientParams) *RestClient { return &RestClient{params.Client} }
