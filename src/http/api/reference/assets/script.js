// What the page can do beside being read. Whatever needs this script is hidden until it runs.
const { home, files } = document.body.dataset
const all = (selector) => [...document.querySelectorAll(selector)]
const make = (name, properties, ...children) => {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}

/* Languages: who chooses one has it everywhere, and the next time too. */

const languages = all('.languages input')
const choose = (language) => {
  for (const input of languages) input.checked = input.value === language
}
const chosen = localStorage.getItem('language')
if (languages.some(({ value }) => value === chosen)) choose(chosen)
for (const input of languages) {
  input.addEventListener('change', () => {
    const before = input.getBoundingClientRect().top
    choose(input.value)
    localStorage.setItem('language', input.value)
    // Samples above have other lengths now: what is looked at stays where it is.
    scrollBy({ top: input.getBoundingClientRect().top - before, behavior: 'instant' })
  })
}

/* Copying: browsers allow it on https and on this machine. */

for (const button of navigator.clipboard ? all('.copy') : []) {
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector('code').textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
}

/* The menu: shows where the reader is. */

const menu = document.getElementById('menu')
const entries = new Map(all('#menu a').map((link) => [decodeURIComponent(link.hash.slice(1)), link]))
const seen = new IntersectionObserver(
  (changes) => {
    for (const { target, isIntersecting } of changes) {
      if (!isIntersecting) continue
      for (const link of all('#menu a[aria-current=location]')) link.removeAttribute('aria-current')
      const link = entries.get(target.id)
      link.setAttribute('aria-current', 'location')
      if (menu.scrollHeight > menu.clientHeight) link.scrollIntoView({ block: 'nearest', behavior: 'instant' })
    }
  },
  { rootMargin: '-20% 0px -75% 0px' },
)
for (const section of all('section[id]')) if (entries.has(section.id)) seen.observe(section)
menu.addEventListener('click', ({ target }) => {
  if (target.closest('a') && menu.matches(':popover-open')) menu.hidePopover()
})

/* Search */

const input = document.getElementById('search')
const found = document.getElementById('found')
input.parentElement.hidden = false
let index

/** Made when it is first asked for: most readers come by a link. */
const makeIndex = async () => {
  const [{ default: MiniSearch }, answer] = await Promise.all([import('./minisearch.js'), fetch(`${files}search.json`)])
  const search = new MiniSearch({
    fields: ['title', 'text'],
    storeFields: ['title', 'kind'],
    // Names are found by their parts: `sendVerification`, `invalid_phone`, `message.failed`.
    tokenize: (text) => text.split(/[^\p{L}\p{N}]+|(?<=[a-z])(?=[A-Z])/u).filter(Boolean),
    searchOptions: { boost: { title: 4 }, prefix: true, fuzzy: 0.2, combineWith: 'AND' },
  })
  search.addAll(await answer.json())
  return search
}
const show = async () => {
  index ??= makeIndex()
  const search = await index
  const words = input.value.trim()
  found.hidden = words === ''
  const results = search.search(words).slice(0, 12)
  if (results.length === 0)
    return found.replaceChildren(make('p', { textContent: `Nothing here is about “${words}”.` }))
  const links = results.map(({ id, title, kind }) =>
    make(
      'li',
      {},
      make('a', { href: addressOf(id) }, make('span', { textContent: title }), make('small', { textContent: kind })),
    ),
  )
  found.replaceChildren(make('ul', {}, ...links))
}
/** Where an entry is, as seen from this page: `home` is empty on the first one. */
const addressOf = (id) => {
  if (id.startsWith('#')) return `${home}${id}`
  return `${files}${id.slice(1)}`
}
const leave = () => {
  found.hidden = true
}
input.addEventListener('input', show)
input.addEventListener('focus', show)
input.parentElement.addEventListener('keydown', (event) => {
  const links = [...found.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement)
  if (event.key === 'Enter' && at === -1) links[0]?.click()
  else if (event.key === 'ArrowDown') (links[at + 1] ?? input).focus()
  else if (event.key === 'ArrowUp') (at === -1 ? links.at(-1) : (links[at - 1] ?? input))?.focus()
  else if (event.key === 'Escape') leave()
  else return
  event.preventDefault()
})
found.addEventListener('click', ({ target }) => target.closest('a') && leave())
document.addEventListener('click', ({ target }) => input.parentElement.contains(target) || leave())
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input, textarea')) return
  event.preventDefault()
  input.focus()
})

/* Trying: there are forms in a sandbox alone. */

for (const trial of all('.try')) {
  trial.hidden = false
  const form = trial.querySelector('form')
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const outcome = trial.querySelector('.outcome')
    outcome.setAttribute('aria-busy', 'true')
    try {
      outcome.replaceChildren(...(await send(form)))
    } catch (error) {
      outcome.replaceChildren(make('p', { textContent: `No answer came: ${error.message}` }))
    }
    outcome.removeAttribute('aria-busy')
  })
}

async function send(form) {
  const { method, path } = form.dataset
  const { key, body } = Object.fromEntries(new FormData(form))
  const headers = { Authorization: `Bearer ${key}` }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const query = new URLSearchParams()
  let filled = path.slice(1)
  for (const { name, value, dataset } of form.querySelectorAll('[data-in]')) {
    if (dataset.in === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value))
    else if (value !== '' && dataset.in === 'query') query.append(name, value)
    else if (value !== '' && dataset.in === 'header') headers[name] = value
  }
  const startedAt = performance.now()
  const answer = await fetch(query.size > 0 ? `${filled}?${query}` : filled, { method, headers, body })
  const text = await answer.text()
  const ms = Math.round(performance.now() - startedAt)
  const status = make('span', { className: `status ${answer.ok ? 'done' : 'refused'}`, textContent: answer.status })
  const told = ['Retry-After', 'Idempotent-Replayed', 'X-Trace-Id'].flatMap((name) =>
    answer.headers.has(name) ? [make('code', { textContent: `${name}: ${answer.headers.get(name)}` }), ' '] : [],
  )
  const shown = make(
    'pre',
    { tabIndex: 0, role: 'group', ariaLabel: 'Answer' },
    make('code', { textContent: pretty(text) }),
  )
  passOn(text)
  return [make('p', {}, status, ` in ${ms} ms`), make('p', {}, ...told), shown]
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

/** The message that was just made takes the place of the contract's example in every other form. */
let known = document.querySelector('.try [data-in=path]')?.value
function passOn(text) {
  const [, id] = /"request_id":\s*"([^"]+)"/.exec(text) ?? []
  if (!id || !known) return
  for (const place of all('.try input, .try textarea')) place.value = place.value.replaceAll(known, id)
  known = id
}
