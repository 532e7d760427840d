/** The overview of an account that has not sent yet: what to do, and what is done already. */
import type { FirstSteps } from '../../../../domain/insight/firstStep.ts'
import { type Html, html, type Part } from '../../../html.ts'
import { blockOf } from '../../parts/code.ts'
import { iconOf } from '../../parts/icon.ts'
import type { Asked } from '../../route.ts'
import { fictionalPhone, sendButton } from '../channels/sandbox.ts'

export function renderFirstSteps({ apiUrl, actor }: Asked, done: FirstSteps): Html {
  const steps: readonly Step[] = [
    {
      name: 'key',
      title: 'Create a key',
      text: 'A test key reaches no real phone and costs nothing. You see it once, and below it the command of the next step with the key in it.',
      to: '/keys/new',
      button: 'Create a key',
    },
    {
      name: 'code',
      title: 'Send a code to the sandbox phone',
      text: html`Send one from here, or as your program will: paste this into a terminal, with your test key in place of <code>YOUR_TEST_KEY</code>.`,
      block: writeCommand(apiUrl),
      act: sendButton(),
    },
    {
      name: 'arrival',
      title: 'See it arrive',
      text: 'The sandbox phone shows messages as they arrive.',
      to: '/sandbox',
      button: 'Open the phone',
    },
    {
      name: 'template',
      title: 'Add a template',
      text: 'The text of a notification, with variables.',
      to: '/new-template',
      button: 'Add a template',
    },
    {
      name: 'channel',
      title: 'Connect a channel',
      text: 'WhatsApp, Telegram, SMS by your provider, or your own gateway, for live keys.',
      to: '/channels',
      button: 'See the channels',
    },
    {
      name: 'webhook',
      title: 'Add a webhook',
      text: 'Your program is told what happens to each message.',
      to: '/webhooks/new',
      button: 'Add a webhook',
    },
  ]
  const left = steps.filter(({ name }) => !done[name])
  const mayAct = actor.role !== 'viewer'
  return html`<section class="panel steps" id="steps"${left.length > 0 && html` data-live="3"`}>
<h2>First steps<small>${steps.length - left.length} of ${steps.length} done</small></h2>
<ol>${steps.map((step) => {
    const isDone = done[step.name]
    const isNext = step === left[0]
    return html`<li class="${isDone ? 'done' : isNext ? 'next' : 'later'}">${isDone ? html`<span class="tick-mark">${iconOf('done')}<span class="sr">Done: </span></span>` : html`<span class="tick-mark"></span>`}
<div><h3>${step.title}</h3>${!isDone && html`<p>${step.text}</p>`}${!isDone && step.block !== undefined && blockOf(step.block, 'The command')}</div>
${!isDone && mayAct && step.act}${!isDone && mayAct && step.to !== undefined && html`<a class="button${!isNext && ' plain'}" href="${step.to}">${step.button}</a>`}</li>`
  })}</ol></section>`
}

interface Step {
  name: keyof FirstSteps
  title: string
  text: Part
  block?: string
  act?: Html
  to?: string
  button?: string
}

function writeCommand(apiUrl: string): string {
  return [
    `curl ${apiUrl}/v1/verify/send \\`,
    `  -H 'Authorization: Bearer YOUR_TEST_KEY' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"phone": "${fictionalPhone}"}'`,
  ].join('\n')
}
