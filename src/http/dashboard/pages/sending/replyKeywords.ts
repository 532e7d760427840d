/** Sending › Opt-outs: the keywords of an account's own, which people opt out and in by. */
import { keywordCharactersMax } from '../../../../domain/sending/phones/keyword.ts'
import { ownKeywordsMax } from '../../../../domain/sending/phones/replyKeyword.ts'
import type { ReplyKeyword } from '../../../../store/schema/requestSchema.ts'
import { type Html, html } from '../../../html.ts'
import { actButton } from '../../parts/act.ts'
import { fieldFaultOf, selectField, textField } from '../../parts/field.ts'
import { renderTable } from '../../parts/table.ts'
import type { Asked, Done } from '../../route.ts'

const meanings = [
  { value: 'stop', label: 'opts out of all notifications' },
  { value: 'start', label: 'opts in again' },
]

/** @param fault of the last keyword that was entered */
export function keywordPanel(asked: Asked, keywords: readonly ReplyKeyword[], fault: string | undefined): Html {
  const { actor, form } = asked
  const isOwner = actor.role === 'owner'
  return html`<details class="panel"${fault !== undefined && html` open`}><summary>Keywords of your own (${keywords.length})</summary>
<p class="quiet-text">They count beside <a href="/guide/sms#what-people-answer">those that every account has</a>, such as STOP and START, and are compared in the same way. At most ${ownKeywordsMax}. A change counts within five seconds.</p>
${keywords.length > 0 && renderKeywords(keywords, isOwner)}
${fieldFaultOf(fault)}
${
  isOwner &&
  html`<form method="post" action="/opt-outs/keywords/add" class="stack">
${textField({ name: 'keyword', label: 'Keyword', value: form.text('keyword'), isRequired: true, lengthMax: keywordCharactersMax })}
${selectField({ name: 'meaning', label: 'Who answers it', value: form.text('meaning'), choices: meanings })}
${textField({ name: 'language', label: 'Language', value: form.text('language'), isRequired: true, lengthMax: 35, placeholder: 'tr' })}
<div class="acts"><button class="plain">Add the keyword</button></div>
</form>`
}
</details>`
}

function renderKeywords(rows: readonly ReplyKeyword[], isOwner: boolean): Html {
  const removal = {
    name: '',
    cell: ({ text: keyword }: ReplyKeyword) =>
      actButton({ to: '/opt-outs/keywords/remove', label: 'Remove', fields: { keyword } }),
  }
  return renderTable({
    caption: 'Keywords of your own',
    rows,
    columns: [
      { name: 'Keyword', cell: ({ text }) => html`<bdi>${text}</bdi>` },
      { name: 'Who answers it', cell: ({ meaning }) => meanings.find(({ value }) => value === meaning)?.label },
      { name: 'Language', cell: ({ language }) => language },
      ...(isOwner ? [removal] : []),
    ],
  })
}

export async function addKeyword({ desk, actor, form }: Asked): Promise<Done> {
  const [text, language] = [form.text('keyword'), form.text('language')]
  const meaning = form.text('meaning') === 'start' ? 'start' : 'stop'
  await desk.optOuts.addKeyword(actor, actor.accountId, { text, meaning, language })
  return { to: '/opt-outs', said: 'Added. It counts within five seconds.' }
}

export async function removeKeyword({ desk, actor, form }: Asked): Promise<Done> {
  const wasThere = await desk.optOuts.removeKeyword(actor, actor.accountId, form.text('keyword'))
  return { to: '/opt-outs', said: wasThere ? 'Removed. Who opted out by it stays so.' : 'There is no such keyword.' }
}
