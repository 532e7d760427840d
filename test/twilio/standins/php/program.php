<?php
// Starts a verification with the client of the page, and checks it.
require 'library.php';
[$accountSid, $apiKey, $phone] = [getenv('ACCOUNT_SID'), getenv('API_KEY'), getenv('PHONE')];
require 'snippet.php';
$service = 'https://verify.twilio.com/v2/Services/' . getenv('SERVICE_SID');
$started = $client->request('POST', "$service/Verifications", [], ['To' => $phone, 'Channel' => 'sms']);
$checked = $client->request('POST', "$service/VerificationCheck", [], ['To' => $phone, 'Code' => getenv('CODE')]);
echo $started['sid'], ' ', $checked['status'], "\n";
