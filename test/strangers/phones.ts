/** Phone numbers as people paste and type them, each with the number that is meant. */
export const pastedPhones: readonly [what: string, written: string, phone: string][] = [
  ['from a chat, with marks of direction', '\u202a+44 7975 556677\u202c', '+447975556677'],
  ['with a mark of direction behind', '+447975556677\u200e', '+447975556677'],
  ['with the trunk zero in brackets', '+44 (0)7975 556677', '+447975556677'],
  ['with the trunk zero', '+44 07975 556677', '+447975556677'],
  ['in full-width characters', '＋４４７９７５５５６６７７', '+447975556677'],
  ['in Arabic digits', '+٤٤٧٩٧٥٥٥٦٦٧٧', '+447975556677'],
  ['in Persian digits, with 00', '۰۰۴۴۷۹۷۵۵۵۶۶۷۷', '+447975556677'],
  ['in Devanagari digits', '+४४७९७५५५६६७७', '+447975556677'],
  ['with a variation selector behind', '+447975556677\ufe0f', '+447975556677'],
  ['in keycaps', '+4\ufe0f\u20e34\ufe0f\u20e37975556677', '+447975556677'],
  ['with a heavy plus', '➕447975556677', '+447975556677'],
  ['as a link', 'tel:+44-7975-556677', '+447975556677'],
  ['with no-break spaces', '+44\u00a07975\u202f556677', '+447975556677'],
  ['with dashes of all kinds', '+44\u20117975\u2013556\u2212677', '+447975556677'],
  ['with dots', '+44.7975.556677', '+447975556677'],
  ['with slashes', '+49 171/1234567', '+491711234567'],
  ['with 00 for the plus', '00 44 7975 556677', '+447975556677'],
  ['with brackets', '+1 (415) 555-2671', '+14155552671'],
  ['with the calling code in brackets', '(+44) 7975 556677', '+447975556677'],
  ['in quotes, from a table', '"+44 7975 556677"', '+447975556677'],
  ['with a line break behind', '+44 7975 556677\r\n', '+447975556677'],
  ['between angle brackets', '<+447975556677>', '+447975556677'],
  ['with a plus that a form put in front of another', '++447975556677', '+447975556677'],
  ['with a plus that a form put in front of 00', '+00447975556677', '+447975556677'],
  ['as a link of another kind', 'whatsapp:+447975556677', '+447975556677'],
  ['out of a list', '+44 7975 556677;', '+447975556677'],
  ['from a signature', 'Tel. +44 7975 556677', '+447975556677'],
  ['from a card', 'Mobile: +44 (0) 7975 556677', '+447975556677'],
  ['from a card in Russian', 'тел.: +44 7975 556677', '+447975556677'],
  ['as a local number in a link', 'tel:7975-556677;phone-context=+44', '+447975556677'],
  ['as such a link without the plus', 'tel:07975556677;phone-context=44', '+447975556677'],
  ['from a table that keeps it as a text', "'+447975556677", '+447975556677'],
  // DIN 5008 puts the digits of a desk behind a dash: they are dialed with the others.
  ['with the digits of a desk', '+49 30 1234567-12', '+4930123456712'],
  ['with the digit of a reception', '+49 (0)30 1234567 – 0', '+493012345670'],
  ['with pairs of digits at the end', '+44 7975-55-66-77', '+447975556677'],
]

/** Numbers that people know from before their country changed them, each with what it is today. */
export const renumberedPhones: readonly [what: string, written: string, phone: string][] = [
  // https://github.com/daviddrysdale/python-phonenumbers/issues/306
  ['with the 1 of Mexico, as WhatsApp has it', '+5215541637145', '+525541637145'],
  ['with the 045 of Mexico', '+52 045 55 4163 7145', '+525541637145'],
  ['without the 01 of Benin', '+229 97 12 34 56', '+2290197123456'],
]

/** What is no one number with its country: a guess could reach a stranger. With the reason that its writer is told. */
export const noPhones: readonly [what: string, written: string, fault: string][] = [
  ['without its country', '(415) 555-2671', 'does not begin with + and a country code'],
  ['with what Americans dial for the plus', '011 44 7975 556677', 'does not begin with + and a country code'],
  ['with a trunk zero for the country', '+0 7975 556677', 'has a 0 where the country code begins'],
  ['two numbers', '+447975556677 / +447975556678', 'holds two numbers'],
  ['two numbers with a dash between them', '+49 30 1234 – +49 30 1235', 'holds two numbers'],
  ['two numbers with a word between them', '+447975556677 or +447975556678', 'holds two numbers'],
  ['two numbers, one a line', '+447975556677\n+447975556678', 'holds two numbers'],
  ['two numbers of which one has a plus', '+447975556677 - 07975 556678', 'has more digits than one number can have'],
  ['a number and the last digit of another one', '+43 664 1234567 / 8', 'holds two numbers'],
  ['the same behind a comma', '+43 664 1234567, 68', 'holds two numbers'],
  ['the same behind a dash', '+43 664 1234567-8', 'has digits behind a whole number, which may be an extension'],
  ['a letter for a digit', '+1415555267O', 'has letters'],
  ['an extension', '+1 415 555 2671 ext. 5', 'has an extension'],
  ['an extension behind an x', '+1 415 555 2671x5', 'has an extension'],
  ['an extension behind a pause', '+14155552671,,5', 'has an extension'],
  ['an extension in a link', 'tel:+14155552671;ext=5', 'has an extension'],
  ['an extension in German', '+49 30 1234567 DW 12', 'has an extension'],
  ['an extension behind a dash', '+1 415 555 2671-12', 'has an extension'],
  ['words around it', 'call +447975556677', 'has letters'],
  ['letters of a keypad', '+1-800-FLOWERS', 'has letters'],
  ['a star', '+44 7975 556677*', 'has "*"'],
  ['a digit too few', '+1 415 555 267', 'is too short for its country'],
  ['a digit too many', '+1 415 555 26711', 'is too long for its country'],
  ['rounded by a spreadsheet', '4.91712E+11', 'is a rounded number of a spreadsheet'],
  ['rounded by a spreadsheet with a comma', '4,91712E+11', 'is a rounded number of a spreadsheet'],
  ['with the .0 of a column of numbers', '+491711234567.0', 'ends in .0'],
  ['nothing that can be seen', '\u200b\ufeff', 'is empty'],
]

/** Codes as people type them; the code is 123456. */
export const typedCodes: readonly [what: string, written: string][] = [
  ['in Arabic digits', '١٢٣٤٥٦'],
  ['in full-width digits', '１２３４５６'],
  ['in two halves', '123-456'],
  ['with a space', '123 456'],
  ['with no-break spaces and marks of direction', '\u202a123\u00a0456\u202c'],
]
