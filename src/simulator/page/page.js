/** Keeps the page up to date, and does what its buttons say. */

const parts = document.getElementById('parts')
let refreshing = false
let again = false

const events = new EventSource('/_simulator/events')
events.addEventListener('message', refresh)
// Nobody tells of what came between the page and its first event, nor of what came while the stream was cut.
events.addEventListener('open', refresh)
document.addEventListener('visibilitychange', refresh)
document.addEventListener('click', report)
document.addEventListener('change', setFault)
localize(document)

async function refresh() {
  if (document.hidden) return
  again = refreshing
  if (refreshing) return
  refreshing = true
  try {
    const response = await fetch('/_simulator/parts')
    if (response.ok) put(new DOMParser().parseFromString(await response.text(), 'text/html').body)
  } catch {
    // The simulator has ended; the stream of events says so when it is there again.
  }
  refreshing = false
  if (again) refresh()
}

/** Puts each part that has changed, and leaves alone what somebody is just using. */
function put(fresh) {
  localize(fresh)
  const phones = parts.querySelector('[data-part="phones"]')
  const cards = new Map(Array.from(phones.querySelectorAll('.phone'), (card) => [card.dataset.part, card]))
  const freshPhones = fresh.querySelector('[data-part="phones"]')
  const next = Array.from(freshPhones.children, (card) => {
    const known = cards.get(card.dataset.part)
    return known && (known.innerHTML === card.innerHTML || isInUse(known)) ? known : card
  })
  if (next.length !== phones.children.length || next.some((card, at) => phones.children[at] !== card)) {
    phones.replaceChildren(...next)
  }
  for (const card of next) {
    const messages = card.querySelector('ol')
    messages.scrollTop = messages.scrollHeight
  }
  for (const name of ['head', 'journal']) {
    const known = parts.querySelector(`[data-part="${name}"]`)
    const part = fresh.querySelector(`[data-part="${name}"]`)
    if (known.innerHTML !== part.innerHTML) known.replaceWith(part)
  }
}

function isInUse(card) {
  return card.contains(document.activeElement) && document.activeElement.matches('select')
}

/** Times as they are here. */
function localize(root) {
  for (const time of root.querySelectorAll('.top time, .journal time')) {
    time.textContent = new Date(time.dateTime).toLocaleTimeString()
  }
  for (const time of root.querySelectorAll('.steps time')) time.title = new Date(time.dateTime).toLocaleTimeString()
}

function report({ target }) {
  const button = target.closest('button[data-report]')
  if (button) ask('POST', '/_simulator/reports', { id: button.dataset.id, status: button.dataset.report })
}

function setFault({ target }) {
  if (!target.matches('select[data-phone]')) return
  const path = `/_simulator/phones/${encodeURIComponent(target.dataset.phone)}`
  target.blur()
  ask('PUT', path, { fault: target.value || null })
}

async function ask(method, path, value) {
  const body = JSON.stringify(value)
  await fetch(path, { method, headers: { 'Content-Type': 'application/json' }, body }).catch(() => {})
  refresh()
}
