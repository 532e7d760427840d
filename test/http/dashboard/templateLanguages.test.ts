/** Sending › Templates: the languages of a template, its category, and the versions that were before. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSimulation } from '../../support/simulation.ts'
import { signIn, type Visitor } from '../../support/visitor.ts'

const simulation = createSimulation({ server: { config: { dashboardPort: 0 } } })
let developer: Visitor
beforeAll(async () => {
  developer = await signIn(simulation.server, 'developer')
})

const greeting = { text: 'Hello {{name}}', default_locale: 'en', category: 'marketing' }
const german = { locale: 'de', 'text@de': 'Hallo {{name}}' }

async function find(slug: string) {
  return (await simulation.server.app.templates.list('acct_default')).find((one) => one.slug === slug)
}

describe('a template on its page', () => {
  it('gets a language by a button, keeps nothing until it is saved, and has it then', async () => {
    await developer.submit('/templates', { slug: 'greeting', text: greeting.text })
    const asked = await developer.post('/templates/greeting', { ...greeting, do: 'add-language', new_locale: 'de_DE' })
    expect(asked.status).toBe(200)
    for (const seen of ['name="locale" value="de-DE"', 'name="text@de-DE"', 'value="without de-DE"']) {
      expect(asked.text).toContain(seen)
    }
    expect((await find('greeting'))?.version).toBe(1)
    const saved = await developer.submit('/templates/greeting', { ...greeting, ...german })
    expect(saved.text).toContain('Saved greeting.')
    expect(saved.text).toContain('>\nHallo {{name}}</textarea>')
    expect(await find('greeting')).toMatchObject({
      ...{ version: 2, category: 'marketing', defaultLocale: 'en' },
      locales: { en: { text: 'Hello {{name}}' }, de: { text: 'Hallo {{name}}' } },
    })
  })

  it('loses a language by a button', async () => {
    const { text: page } = await developer.post('/templates/greeting', { ...greeting, ...german, do: 'without de' })
    expect(page).not.toContain('name="text@de"')
  })

  it('says of each language what it takes, with what makes it UCS-2 by name and place', async () => {
    const body = { ...greeting, ...german, 'text@de': 'Hallo\u202f{{name}}', do: 'preview' }
    const { text: page } = await developer.post('/templates/greeting', body)
    expect(page).toMatch(
      /id="size-de">.*6 characters without variables; by SMS UCS-2, 1 SMS.*U\+202F NARROW NO-BREAK SPACE/s,
    )
  })

  it('is refused with what is wrong in a language, and with what was entered', async () => {
    const wrong = { ...german, 'text@de': 'Hallo {{nick}}', 'whatsapp.name@de': 'No Name' }
    const { status, text: page } = await developer.post('/templates/greeting', { ...greeting, ...wrong })
    expect(status).toBe(400)
    for (const seen of [
      'de: lacks {{name}}, which the default language has',
      'de: has {{nick}}, which the default language lacks',
      'de: WhatsApp, Name: must be',
      'Hallo {{nick}}</textarea>',
    ]) {
      expect(page).toContain(seen)
    }
  })

  it('shows what each version changed and by whom, and puts one back', async () => {
    const { text: page } = await developer.get('/templates/greeting')
    expect(page).toMatch(/<caption[^>]*>Versions/)
    expect(page).toContain('category, default_locale')
    const back = await developer.submit('/templates/greeting', { do: 'back', version: '1' })
    expect(back.text).toContain('Put version 1 of greeting back.')
    expect(await find('greeting')).toMatchObject({ version: 3, category: 'utility', defaultLocale: 'und' })
    const gone = await developer.post('/templates/greeting', { do: 'back', version: 'x' })
    expect([gone.status, gone.text]).toEqual([400, expect.stringContaining('is not kept')])
  })

  it('shows a viewer its languages and versions, without a button', async () => {
    await developer.submit('/templates/greeting', { ...greeting, ...german })
    const viewer = await signIn(simulation.server, 'viewer')
    const { text: page } = await viewer.get('/templates/greeting')
    expect(page).toContain('Hallo {{name}}')
    expect(page).toMatch(/<caption[^>]*>Versions/)
    expect(page).not.toContain('value="back"')
  })
})
