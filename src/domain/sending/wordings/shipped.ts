/**
 * What a code is sent with, by language: one message in the order of that language. Words are chosen so that a text fits into
 * one segment with the longest brand, in GSM-7 where the language can be written in it. Add a language here, and nowhere else.
 */

export interface ShippedWording {
  /** With the name of the caller's application. */
  branded: string
  /** Without it. */
  plain: string
  /** How long the code is valid, by the plural category of `{{minutes}}`; `other` stands for those that are missing. */
  valid: { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>
}

/** By BCP 47 tags. */
export const shippedWordings: Readonly<Record<string, ShippedWording>> = {
  ar: {
    branded: 'رمز {{brand}} هو {{code}}.',
    plain: 'رمزك هو {{code}}.',
    valid: {
      one: 'صالح لمدة دقيقة واحدة.',
      two: 'صالح لمدة دقيقتين.',
      few: 'صالح لمدة {{minutes}} دقائق.',
      other: 'صالح لمدة {{minutes}} دقيقة.',
    },
  },
  bg: {
    branded: '{{code}} е кодът за {{brand}}.',
    plain: '{{code}} е вашият код.',
    valid: { one: 'Важи {{minutes}} минута.', other: 'Важи {{minutes}} минути.' },
  },
  ca: {
    branded: '{{code}} és el teu codi de {{brand}}.',
    plain: '{{code}} és el teu codi.',
    valid: { one: 'Caduca en {{minutes}} minut.', other: 'Caduca en {{minutes}} minuts.' },
  },
  cs: {
    branded: '{{code}} je váš kód {{brand}}.',
    plain: '{{code}} je váš kód.',
    valid: {
      one: 'Platí {{minutes}} minutu.',
      few: 'Platí {{minutes}} minuty.',
      other: 'Platí {{minutes}} minut.',
    },
  },
  da: {
    branded: '{{code}} er din kode til {{brand}}.',
    plain: '{{code}} er din kode.',
    valid: { one: 'Den gælder i {{minutes}} minut.', other: 'Den gælder i {{minutes}} minutter.' },
  },
  de: {
    branded: '{{code}} ist Ihr Code für {{brand}}.',
    plain: '{{code}} ist Ihr Code.',
    valid: { one: 'Er gilt {{minutes}} Minute.', other: 'Er gilt {{minutes}} Minuten.' },
  },
  el: {
    branded: 'Ο κωδικός {{brand}}: {{code}}.',
    plain: 'Ο κωδικός σας: {{code}}.',
    valid: { one: 'Ισχύει {{minutes}} λεπτό.', other: 'Ισχύει {{minutes}} λεπτά.' },
  },
  en: {
    branded: '{{code}} is your {{brand}} code.',
    plain: '{{code}} is your code.',
    valid: { one: 'It is valid for {{minutes}} minute.', other: 'It is valid for {{minutes}} minutes.' },
  },
  es: {
    branded: '{{code}} es tu clave de {{brand}}.',
    plain: '{{code}} es tu clave.',
    valid: { one: 'Vence en {{minutes}} minuto.', other: 'Vence en {{minutes}} minutos.' },
  },
  et: {
    branded: '{{code}} on teie {{brand}} kood.',
    plain: '{{code}} on teie kood.',
    valid: { one: 'See kehtib {{minutes}} minuti.', other: 'See kehtib {{minutes}} minutit.' },
  },
  fi: {
    branded: '{{code}} on koodisi palveluun {{brand}}.',
    plain: '{{code}} on koodisi.',
    valid: { one: 'Se on voimassa {{minutes}} minuutin.', other: 'Se on voimassa {{minutes}} minuuttia.' },
  },
  fr: {
    branded: '{{code}} est votre code {{brand}}.',
    plain: '{{code}} est votre code.',
    valid: { one: 'Il est valable {{minutes}} minute.', other: 'Il est valable {{minutes}} minutes.' },
  },
  he: {
    branded: 'קוד {{brand}} שלך: {{code}}.',
    plain: 'הקוד שלך: {{code}}.',
    valid: { one: 'בתוקף דקה אחת.', two: 'בתוקף שתי דקות.', other: 'בתוקף {{minutes}} דקות.' },
  },
  hi: {
    branded: '{{code}} आपका {{brand}} कोड है।',
    plain: '{{code}} आपका कोड है।',
    valid: { other: '{{minutes}} मिनट तक मान्य।' },
  },
  hr: {
    branded: '{{code}} je kod za {{brand}}.',
    plain: '{{code}} je kod za potvrdu.',
    valid: {
      one: 'Vrijedi {{minutes}} minutu.',
      few: 'Vrijedi {{minutes}} minute.',
      other: 'Vrijedi {{minutes}} minuta.',
    },
  },
  hu: {
    branded: '{{brand}}-kód: {{code}}.',
    plain: 'Az Ön kódja: {{code}}.',
    valid: { other: '{{minutes}} percig érvényes.' },
  },
  id: {
    branded: '{{code}} adalah kode {{brand}} Anda.',
    plain: '{{code}} adalah kode Anda.',
    valid: { other: 'Berlaku {{minutes}} menit.' },
  },
  it: {
    branded: '{{code}} è il tuo codice {{brand}}.',
    plain: '{{code}} è il tuo codice.',
    valid: { one: 'Scade tra {{minutes}} minuto.', other: 'Scade tra {{minutes}} minuti.' },
  },
  ja: {
    branded: '{{brand}}の認証コードは{{code}}です。',
    plain: '認証コードは{{code}}です。',
    valid: { other: '有効期限は{{minutes}}分です。' },
  },
  ko: {
    branded: '{{brand}} 인증번호는 {{code}}입니다.',
    plain: '인증번호는 {{code}}입니다.',
    valid: { other: '{{minutes}}분간 유효합니다.' },
  },
  lt: {
    branded: '{{code}} yra {{brand}} kodas.',
    plain: '{{code}} yra patvirtinimo kodas.',
    valid: { other: 'Galioja {{minutes}} min.' },
  },
  ms: {
    branded: '{{code}} ialah kod {{brand}} anda.',
    plain: '{{code}} ialah kod anda.',
    valid: { other: 'Sah selama {{minutes}} minit.' },
  },
  nb: {
    branded: '{{code}} er koden din for {{brand}}.',
    plain: '{{code}} er koden din.',
    valid: { one: 'Den er gyldig i {{minutes}} minutt.', other: 'Den er gyldig i {{minutes}} minutter.' },
  },
  nl: {
    branded: '{{code}} is je code voor {{brand}}.',
    plain: '{{code}} is je code.',
    valid: { one: 'De code is {{minutes}} minuut geldig.', other: 'De code is {{minutes}} minuten geldig.' },
  },
  pl: {
    branded: '{{code}} to kod {{brand}}.',
    plain: '{{code}} to kod weryfikacyjny.',
    valid: { other: 'Kod wygasa za {{minutes}} min.' },
  },
  pt: {
    branded: '{{code}} é o código {{brand}}.',
    plain: '{{code}} é o seu código.',
    valid: { other: 'Válido por {{minutes}} min.' },
  },
  'pt-BR': {
    branded: '{{code}} é seu código {{brand}}.',
    plain: '{{code}} é seu código.',
    valid: { other: 'Vale por {{minutes}} min.' },
  },
  ro: {
    branded: '{{code}} este codul {{brand}}.',
    plain: '{{code}} este codul dvs.',
    valid: {
      one: 'Este valabil {{minutes}} minut.',
      few: 'Este valabil {{minutes}} minute.',
      other: 'Este valabil {{minutes}} de minute.',
    },
  },
  ru: {
    branded: '{{code}} — код {{brand}}.',
    plain: '{{code}} — ваш код.',
    valid: {
      one: 'Действует {{minutes}} минуту.',
      few: 'Действует {{minutes}} минуты.',
      other: 'Действует {{minutes}} минут.',
    },
  },
  sk: {
    branded: '{{code}} je váš kód {{brand}}.',
    plain: '{{code}} je váš kód.',
    valid: {
      one: 'Platí {{minutes}} minútu.',
      few: 'Platí {{minutes}} minúty.',
      other: 'Platí {{minutes}} minút.',
    },
  },
  sl: {
    branded: '{{code}} je koda za {{brand}}.',
    plain: '{{code}} je koda za potrditev.',
    valid: {
      one: 'Velja {{minutes}} minuto.',
      two: 'Velja {{minutes}} minuti.',
      few: 'Velja {{minutes}} minute.',
      other: 'Velja {{minutes}} minut.',
    },
  },
  sv: {
    branded: '{{code}} är din kod för {{brand}}.',
    plain: '{{code}} är din kod.',
    valid: { one: 'Den gäller i {{minutes}} minut.', other: 'Den gäller i {{minutes}} minuter.' },
  },
  th: {
    branded: '{{code}} คือรหัส {{brand}} ของคุณ',
    plain: '{{code}} คือรหัสของคุณ',
    valid: { other: 'ใช้ได้ {{minutes}} นาที' },
  },
  tr: {
    branded: '{{code}} {{brand}} kodunuz.',
    plain: '{{code}} kodunuz.',
    valid: { other: '{{minutes}} dakika sonra sona erer.' },
  },
  uk: {
    branded: '{{code}} — код {{brand}}.',
    plain: '{{code}} — ваш код.',
    valid: {
      one: 'Діє {{minutes}} хвилину.',
      few: 'Діє {{minutes}} хвилини.',
      other: 'Діє {{minutes}} хвилин.',
    },
  },
  vi: {
    branded: '{{code}} là mã {{brand}}.',
    plain: '{{code}} là mã của bạn.',
    valid: { other: 'Có hiệu lực {{minutes}} phút.' },
  },
  'zh-Hans': {
    branded: '{{code}} 是您的 {{brand}} 验证码。',
    plain: '{{code}} 是您的验证码。',
    valid: { other: '{{minutes}} 分钟内有效。' },
  },
  'zh-Hant': {
    branded: '{{code}} 是您的 {{brand}} 驗證碼。',
    plain: '{{code}} 是您的驗證碼。',
    valid: { other: '{{minutes}} 分鐘內有效。' },
  },
}
