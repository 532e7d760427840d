/** The words of rules, explained where they stand. */
import { type Html, html } from '../../../html.ts'

const words: readonly [word: string, meaning: string][] = [
  ['Verified', 'The code was sent, and its user typed it in correctly.'],
  ['Not verified', 'The code was sent and not typed in correctly. A code that may still be is one of these, too.'],
  [
    'Conversion',
    'The percentage of codes that were verified. It falls when codes go to numbers where no person reads them.',
  ],
  [
    'Block of numbers',
    'Numbers that differ in their last four digits only; also called a prefix. Attackers rent whole blocks.',
  ],
  [
    'Address, user, device, network',
    'Your application names them with each send; these are its signals. Without them, rules about them find nothing. A network is a group of 256 neighboring addresses (/24), with IPv6 a /48.',
  ],
  [
    'Best of the 14 days before',
    'The day with the most verified codes, of the 14 days before today (UTC). It tells how much is usual.',
  ],
  ['Record', 'The code is sent. What the rule found is shown here and at the message.'],
  [
    'Ask for a captcha',
    'The code is not sent at first. Your application gets 403 challenge_required, shows a captcha, and sends again.',
  ],
  ['Block', 'The code is not sent. Your application gets 403 send_blocked.'],
  ['Divided by', 'Makes a part of a longer time: the codes of a day divided by 24 are those of an average hour.'],
]

export function ruleWords(): Html {
  return html`<details class="numbers"><summary>What these words mean</summary><dl class="facts roomy">${words.map(
    ([word, meaning]) => html`<div><dt>${word}</dt><dd class="whole-words">${meaning}</dd></div>`,
  )}</dl></details>`
}
