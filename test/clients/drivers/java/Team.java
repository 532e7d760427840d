// A team that writes Java, with the client that openapi-generator makes.
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

class Team {
  static final String UNKNOWN = "req_00000000000000000000000000";
  static final Map<String, String> LIMITS =
      Map.of(
          "resend_cooldown", "wait a minute",
          "send_limit_reached", "come back later",
          "rate_limited", "ask less often");

  interface Call {
    void make() throws ApiException;
  }

  final ObjectMapper mapper;
  final VerificationApi verification;
  final MessagesApi messages;
  final NotificationsApi notifications;

  Team(String url, String key) {
    URI address = URI.create(url);
    ApiClient client = new ApiClient().setScheme(address.getScheme()).setHost(address.getHost()).setPort(address.getPort());
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
    mapper = client.getObjectMapper();
    verification = new VerificationApi(client);
    messages = new MessagesApi(client);
    notifications = new NotificationsApi(client);
  }

  Map<String, String> drive(String url) throws Exception {
    SendVerificationRequest request = new SendVerificationRequest().phone("+14155550100").brandName("Acme");
    String once = UUID.randomUUID().toString();
    SentVerification sent = verification.sendVerification(request, once).getData();
    SentVerification again = verification.sendVerification(request, once).getData();
    CheckResult wrong = check(sent.getRequestId(), "123456");
    CheckResult right = check(sent.getRequestId(), "000000");
    Message message = messages.getMessage(sent.getRequestId()).getData();
    QueuedNotification notified = notifications.sendNotification(welcome().putVariablesItem("name", new VariableValue("Ada")), null).getData();
    List<ListedMessage> listed = allPages();
    LimitedSendVerificationProblem hasty =
        refused(429, LimitedSendVerificationError.class, () -> send("+14155550160")).getData();
    InvalidSendVerificationProblem invalid =
        refused(400, InvalidSendVerificationError.class, () -> send("0100")).getData();
    InvalidSendNotificationProblem unfilled =
        refused(400, InvalidSendNotificationError.class, () -> notifications.sendNotification(welcome(), null)).getData();
    VerificationNotFoundProblem missing =
        refused(404, VerificationNotFoundError.class, () -> check(UNKNOWN, "000000")).getData();
    UnauthorizedProblem stranger =
        refused(401, UnauthorizedError.class, () -> new Team(url, "ww_test_unknown").send("+14155550100")).getData();
    Map<String, String> outcome = new LinkedHashMap<>();
    outcome.put("sent", sent.getStatus() + " for " + sent.getExpiresIn() + " seconds");
    outcome.put("repeated", again.getRequestId().equals(sent.getRequestId()) ? "the same answer" : "another answer");
    outcome.put("wrongCode", judge(wrong));
    outcome.put("rightCode", judge(right));
    outcome.put("message", message.getError() != null ? message.getError().getCode().toString() : message.getStatus().toString());
    outcome.put("listed", listed.stream().anyMatch(each -> each.getId().equals(sent.getRequestId())) ? "there" : "missing");
    outcome.put("notification", notified.getStatus().toString());
    outcome.put("invalidPhone", explain(invalid.getCode(), invalid.getDetails()));
    outcome.put("missingVariable", explain(unfilled.getCode(), unfilled.getDetails()));
    outcome.put("unknownKey", stranger.getCode().toString());
    outcome.put("unknownVerification", missing.getCode().toString());
    outcome.put("tooSoon", hasty.getCode() + ": " + hasty.getRetryAfter() + " seconds");
    outcome.put("advice", LIMITS.get(hasty.getCode().toString()));
    return outcome;
  }

  String refusal() throws Exception {
    try {
      messages.getMessage(UNKNOWN);
    } catch (ApiException refusal) {
      MessageNotFoundProblem problem = mapper.readValue(refusal.getResponseBody(), MessageNotFoundError.class).getData();
      // A code that is newer than the client is in no list of it.
      String code = problem.getCode() == null ? mapper.readTree(refusal.getResponseBody()).at("/data/code").asText() : problem.getCode().toString();
      return refusal.getCode() + " " + code;
    }
    throw new IllegalStateException("passed");
  }

  List<Object> echo() throws Exception {
    List<Object> echoed = new ArrayList<>();
    for (JsonNode example : mapper.readTree(System.in)) {
      Class<?> type = Class.forName("org.openapitools.client.model." + example.get("schema").asText());
      echoed.add(mapper.treeToValue(example.get("value"), type));
    }
    return echoed;
  }

  void send(String phone) throws ApiException {
    verification.sendVerification(new SendVerificationRequest().phone(phone), null);
  }

  CheckResult check(String id, String code) throws ApiException {
    return verification.checkVerification(new CheckVerificationRequest().requestId(id).code(code), null).getData();
  }

  SendNotificationRequest welcome() {
    return new SendNotificationRequest().phone("+14155550100").template("welcome");
  }

  /** All messages to the phone, one on each page. */
  List<ListedMessage> allPages() throws ApiException {
    List<ListedMessage> all = new ArrayList<>();
    String after = null;
    do {
      MessagePage page = messages.listMessages("+14155550100", null, null, null, 1, after).getData();
      all.addAll(page.getMessages());
      after = page.getNext();
    } while (after != null);
    return all;
  }

  <Refusal> Refusal refused(int status, Class<Refusal> type, Call call) throws Exception {
    try {
      call.make();
    } catch (ApiException refusal) {
      if (refusal.getCode() != status) throw refusal;
      return mapper.readValue(refusal.getResponseBody(), type);
    }
    throw new IllegalStateException("passed");
  }

  static String judge(CheckResult check) {
    if (!(check instanceof NotVerified)) return check.getResult().toString();
    NotVerified not = (NotVerified) check;
    return not.getReason() + ", " + not.getAttemptsRemaining() + " left";
  }

  static String explain(Object code, List<ErrorDetail> details) {
    return code + ": " + details.stream().map(each -> each.getField() + " " + each.getCode()).collect(Collectors.joining(", "));
  }

  public static void main(String[] arguments) throws Exception {
    String url = arguments.length > 1 ? arguments[1] : "http://127.0.0.1";
    Team team = new Team(url, arguments.length > 2 ? arguments[2] : "any");
    Object said =
        switch (arguments[0]) {
          case "drive" -> team.drive(url);
          case "refusal" -> team.refusal();
          default -> team.echo();
        };
    System.out.println(team.mapper.writeValueAsString(said));
  }
}
