import { codeLengthStandard } from '../../../contract/document.ts'
import type { Account } from '../../../domain/access/account.ts'
import { accountSidOf, serviceSidOf } from '../../../domain/twilioSid.ts'
import { Problem } from '../../../kit/problem.ts'
import type { TwilioHandler, TwilioReply } from '../handler.ts'
import { wireTimeOf } from '../verification.ts'

export const fetchService: TwilioHandler<'fetchService', Account> = {
  act: async ({ caller }, { findAccount }) =>
    (await findAccount(caller.accountId)) ?? new Problem('verification_not_found'),

  reply: ({ id, name, brand, createdAt }): TwilioReply<'fetchService'> => {
    const sid = serviceSidOf(id)
    const time = wireTimeOf(createdAt)
    return {
      status: 200,
      data: {
        sid,
        account_sid: accountSidOf(id),
        friendly_name: brand ?? name,
        code_length: codeLengthStandard,
        custom_code_enabled: true,
        lookup_enabled: false,
        skip_sms_to_landlines: false,
        dtmf_input_required: false,
        psd2_enabled: false,
        do_not_share_warning_enabled: false,
        default_template_sid: null,
        tts_name: null,
        date_created: time,
        date_updated: time,
        url: `/v2/Services/${sid}`,
      },
    }
  },
}
