const [toPhone, withCode] = document.querySelectorAll('form')
const [status, alert] = document.querySelectorAll('[role]')
const out = document.querySelector('#out')

const deliveries = {
  'message.sent': 'Your code is on its way.',
  'message.delivered': 'Your code has arrived.',
  'message.read': 'Your code has arrived.',
  'message.failed': 'Your code could not be delivered. Is this the right number?',
  'verification.failed': 'Your code could not be delivered. Is this the right number?',
}

onSubmit(toPhone, async () => {
  await ask('POST', '/code', { phone: toPhone.phone.value })
  withCode.hidden = false
  withCode.reset()
  withCode.code.focus()
})
onSubmit(withCode, async () => show(await ask('POST', '/session', { code: withCode.code.value })))
out.addEventListener('click', () => ask('DELETE', '/session').then(() => show({})))

show(await ask('GET', '/session'))
// The server is told by Watchword; the page asks the server while a person waits for a code.
setInterval(async () => {
  if (withCode.hidden) return
  const { delivery } = await ask('GET', '/session').catch(() => ({}))
  if (!withCode.hidden) status.textContent = deliveries[delivery] ?? ''
}, 1000)

function show({ phone, delivery }) {
  toPhone.hidden = phone !== undefined
  withCode.hidden = phone !== undefined || delivery === undefined
  out.hidden = phone === undefined
  status.textContent = phone ? `You are signed in with ${phone}.` : ''
}

/** One request at a time: a second click does nothing. */
function onSubmit(form, work) {
  const button = form.querySelector('button')
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    button.disabled = true
    alert.textContent = ''
    await work().catch((error) => {
      alert.textContent = error.message
    })
    button.disabled = false
  })
}

async function ask(method, path, body) {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) }).catch(() =>
    Response.error(),
  )
  // An answer without a body, or from something between here and there.
  const said = await answer.json().catch(() => ({}))
  if (!answer.ok) throw new Error(said.told ?? 'We cannot be reached. Please try again.')
  return said
}
