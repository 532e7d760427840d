import com.twilio.http.HttpMethod;
import com.twilio.http.Request;
import com.twilio.http.TwilioRestClient;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Starts a verification with the client of the page, and checks it. */
public class Program {
    public static void main(String[] arguments) {
        TwilioRestClient client = Snippet.connect(System.getenv("ACCOUNT_SID"), System.getenv("API_KEY"));
        String phone = System.getenv("PHONE");
        String started = post(client, "/Verifications", Map.of("To", phone, "Channel", "sms"));
        String checked = post(client, "/VerificationCheck", Map.of("To", phone, "Code", System.getenv("CODE")));
        System.out.println(memberOf(started, "sid") + " " + memberOf(checked, "status"));
    }

    private static String post(TwilioRestClient client, String path, Map<String, String> form) {
        String service = "https://verify.twilio.com/v2/Services/" + System.getenv("SERVICE_SID");
        Request request = new Request(HttpMethod.POST, service + path);
        request.addHeaderParam("Accept", "application/json");
        form.forEach(request::addPostParam);
        return client.request(request).getContent();
    }

    private static String memberOf(String json, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":\"(\\w+)\"").matcher(json);
        return found.find() ? found.group(1) : json;
    }
}
