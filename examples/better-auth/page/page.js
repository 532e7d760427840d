const [toPhone, withCode] = document.querySelectorAll('form')
const [status, alert] = document.querySelectorAll('[role]')
const out = document.querySelector('#out')

onSubmit(toPhone, async () => {
  await post('/phone-number/send-otp', { phoneNumber: toPhone.phone.value })
  withCode.hidden = false
  withCode.code.focus()
})
onSubmit(withCode, async () => {
  await post('/phone-number/verify', { phoneNumber: toPhone.phone.value, code: withCode.code.value })
  await show()
})
out.addEventListener('click', () => post('/sign-out', {}).then(show))

await show()

async function show() {
  const session = await (await fetch('/api/auth/get-session')).json()
  toPhone.hidden = session !== null
  withCode.hidden = true
  withCode.reset()
  out.hidden = session === null
  status.textContent = session ? `You are signed in with ${session.user.phoneNumber}.` : ''
}

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

async function post(path, body) {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(`/api/auth${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const said = await answer.json().catch(() => null)
  if (!answer.ok) throw new Error(said?.message ?? 'Something went wrong on our side. Please try again.')
}
