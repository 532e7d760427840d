/** What makes the pages pleasant. All of them work without it. */

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]
/** In the reader's zone, but for the last one. As the server writes them, so that no page has two kinds. */
const day = { day: 'numeric', month: 'short' }
const minute = { hour: '2-digit', minute: '2-digit' }
const second = { ...minute, second: '2-digit' }
const formOf = (parts) => new Intl.DateTimeFormat('en-GB', { ...parts, hourCycle: 'h23' })
const forms = {
  day: formOf({ ...day, year: 'numeric' }),
  hour: formOf(minute),
  dayHour: formOf({ ...day, ...minute }),
  minute: formOf({ ...day, year: 'numeric', ...minute }),
  second: formOf({ ...day, year: 'numeric', ...second }),
  clock: formOf(second),
}
const exact = formOf({ ...day, year: 'numeric', ...second, timeZoneName: 'short' })
const exactUtc = formOf({ ...day, year: 'numeric', ...second, timeZone: 'UTC', timeZoneName: 'short' })

function since(at) {
  const seconds = Math.round((at - Date.now()) / 1000)
  if (Math.abs(seconds) < 5) return 'now'
  if (seconds <= -86_400) return forms.minute.format(at)
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length)
  return relative.format(Math.trunc(seconds / length), unit)
}

function tellTimes(root) {
  for (const time of root.querySelectorAll('time[data-form]')) {
    const at = new Date(time.dateTime)
    const { form } = time.dataset
    const text = form === 'relative' ? since(at) : forms[form].format(at)
    // Written only when it is another: who has it selected keeps it.
    if (time.textContent !== text) time.textContent = text
    time.title = [...new Set([exact.format(at), exactUtc.format(at)])].join('\n')
  }
}

/** What does not change while somebody looks. */
function tellZone(root) {
  for (const words of root.querySelectorAll('[data-own-zone]')) words.textContent = words.dataset.ownZone
  for (const bar of root.querySelectorAll('[data-hour]')) {
    const title = bar.querySelector('title')
    const name = forms.dayHour.format(new Date(bar.dataset.hour))
    title.textContent = title.textContent.replace(/^.*? UTC(?=: )/, name)
  }
  let before
  for (const mark of [...root.querySelectorAll('.thread > .day:has(time)')].toReversed()) {
    mark.hidden = mark.textContent === before
    before = mark.textContent
  }
}

/** What is written into a form is of the reader's zone; a form sends UTC. */
function ownMoments(root) {
  for (const input of root.querySelectorAll('input[type="datetime-local"]')) {
    if (input.value === '') continue
    const at = new Date(`${input.value}Z`)
    input.value = new Date(at - at.getTimezoneOffset() * 60_000).toISOString().slice(0, input.value.length)
  }
}
document.addEventListener('formdata', ({ target, formData }) => {
  for (const { name, value } of target.querySelectorAll('input[type="datetime-local"]')) {
    if (value !== '') formData.set(name, new Date(value).toISOString().slice(0, value.length))
  }
})

function offerCopies(root) {
  for (const button of root.querySelectorAll('[data-copy][hidden]')) button.hidden = false
}

function begin(root) {
  tellTimes(root)
  tellZone(root)
  ownMoments(root)
  offerCopies(root)
}

document.addEventListener('click', async (event) => {
  const button = event.target.closest('[data-copy]')
  if (!button) return
  await navigator.clipboard.writeText(button.dataset.copy)
  button.classList.add('copied')
  setTimeout(() => button.classList.remove('copied'), 1500)
})

const dialog = document.createElement('dialog')
dialog.setAttribute('aria-labelledby', 'question')
dialog.innerHTML =
  '<form method="dialog"><p id="question"></p><menu><button value="no" class="plain">Cancel</button><button value="yes" class="danger sure"></button></menu></form>'

document.addEventListener('submit', (event) => {
  const form = event.target
  const question = form.dataset.confirm
  if (question === undefined || form.dataset.sure !== undefined) return
  event.preventDefault()
  if (!dialog.isConnected) document.body.append(dialog)
  dialog.querySelector('#question').textContent = question
  dialog.querySelector('.sure').textContent = (event.submitter ?? form.querySelector('button')).textContent
  dialog.onclose = () => {
    if (dialog.returnValue !== 'yes') return
    form.dataset.sure = ''
    // It was asked here: the page need not ask again.
    form.querySelector('[name=confirm]')?.remove()
    form.requestSubmit()
  }
  dialog.returnValue = 'no'
  dialog.showModal()
})

/** Forms that are on their way: what a double click sends once more would be answered as if somebody else had done it. */
let sent = new WeakSet()
document.addEventListener('submit', (event) => {
  const form = event.target
  if (event.defaultPrevented || form.method !== 'post') return
  if (sent.has(form)) return event.preventDefault()
  sent.add(form)
  // Who has stopped it can send it again.
  setTimeout(() => sent.delete(form), 10_000)
})
addEventListener('pageshow', () => {
  sent = new WeakSet()
})

/** Parts that change by themselves are asked for anew, every so many seconds, while somebody looks. */
for (const { id, dataset } of document.querySelectorAll('[data-live]')) {
  let shown
  const again = () => setTimeout(refresh, Number(dataset.live) * 1000)
  const refresh = async () => {
    if (document.hidden) {
      document.addEventListener('visibilitychange', refresh, { once: true })
      return
    }
    try {
      const answer = await fetch(location.href, { headers: { 'X-Part': id }, redirect: 'manual' })
      // Signed out meanwhile: the page says so.
      if (answer.type === 'opaqueredirect') return location.reload()
      const now = document.getElementById(id)
      if (!now) return
      const text = answer.ok ? await answer.text() : shown
      // Not when it is the same, and not under somebody's hands.
      if (text !== shown && !now.contains(document.activeElement)) {
        shown = text
        const next = new DOMParser().parseFromString(text, 'text/html').getElementById(id)
        // It is no part of the page any more: what is there in its place, the whole page says.
        if (!next) return location.reload()
        replace(now, next)
      }
      if (document.getElementById(id)?.dataset.live === undefined) return
    } catch {
      // The service is away: it is asked again.
    }
    again()
  }
  again()
}

function replace(now, next) {
  if (!next) return
  now.replaceWith(next)
  begin(next)
}

/** What is being written is shown as it will be read, a moment after each change. */
for (const form of document.querySelectorAll('form[data-preview]')) {
  for (const button of form.querySelectorAll('[data-scriptless]')) button.hidden = true
  let turn = 0
  form.addEventListener('input', async () => {
    const mine = ++turn
    await new Promise((resolve) => setTimeout(resolve, 200))
    if (mine !== turn) return
    const body = new URLSearchParams(new FormData(form))
    body.set('do', 'preview')
    const init = { method: 'POST', headers: { 'X-Part': 'preview' }, body, redirect: 'manual' }
    const answer = await fetch(form.action, init).catch(() => undefined)
    if (!answer?.ok || mine !== turn) return
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    for (const id of form.dataset.preview.split(' ')) {
      const now = document.getElementById(id)
      if (!now.contains(document.activeElement)) replace(now, page.getElementById(id))
    }
  })
}

/** A choice in a search is taken at once. */
for (const select of document.querySelectorAll('select[data-submit]')) {
  select.addEventListener('change', () => select.form.requestSubmit())
}

/** What stands behind the # of a link is for the server alone that answers this page: it goes into the form, and out of sight. */
for (const form of document.querySelectorAll('[data-fragment]')) {
  const token = location.hash.slice(1)
  if (token === '') continue
  history.replaceState(null, '', location.pathname)
  form.elements[form.dataset.fragment].value = token
  form.requestSubmit()
}

begin(document)
setInterval(() => tellTimes(document), 10_000)
