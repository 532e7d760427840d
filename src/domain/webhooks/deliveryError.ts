/** What customers are told of each reason why a message failed: in events, answers and pages. */
import type { DeliveryErrorCode } from '../../store/schema/schema.ts'

export const deliveryErrors: Record<DeliveryErrorCode, string> = {
  not_on_channel: 'The phone number does not exist, or has no account with the messaging application.',
  rejected_by_channel: 'The messaging application refused the message.',
  channel_unavailable: 'The messaging application could not be reached in time, or does not accept the operator.',
  not_delivered: 'The message was not delivered in time, or the service gave up on it.',
  superseded: 'A newer code was sent to this phone before a channel took this one.',
  opted_out: 'The owner of the phone has told the provider to send nothing more.',
  unreachable: 'The phone is switched off or out of reach.',
  country_blocked: "The operator's account at the provider does not send to this country.",
  send_limit_reached: 'When its time came, the phone had got too many notifications.',
  budget_spent: 'When its time came, a budget of the account was spent for that day.',
}
