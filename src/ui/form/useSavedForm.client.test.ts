import { createElement } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPage } from '../../../test/page.ts'
import type { SavedForm } from './useSavedForm.ts'

type Saved = { version: number; title: string; price: string; size: { width: string } }
type Values = Omit<Saved, 'version'>
const book: Saved = { version: 1, title: 'Trains', price: '4.00', size: { width: '10' } }

let page: Awaited<ReturnType<typeof openPage>>
// the page reloads the modules, so `instanceof` needs the class from the same load
let Failure: typeof import('../../kit/failure.ts').Failure
beforeEach(async () => {
  page = await openPage()
  ;({ Failure } = await import('../../kit/failure.ts'))
})
afterEach(() => page.close())

const refusal = (status: number, details: Record<string, unknown>) => new Failure(status, '', undefined, { details })

/** The form hides the width of a free book. */
const FREE = '0'

/** Renders a form of a book without inputs. `form` returns the state of the last render. */
async function openForm(more: Record<string, unknown> = {}) {
  const { useSavedForm } = await import('./useSavedForm.ts')
  const save = vi.fn<(values: Values, saved: Saved) => Promise<unknown>>(async () => undefined)
  const onFailure = vi.fn<(error: unknown, message: string) => void>()
  const drawn = vi.fn<(form: SavedForm<Values, Saved>) => void>()
  const form = () => drawn.mock.lastCall![0]
  function Book({ saved }: { saved: Saved }) {
    const shown = useSavedForm<Values, Saved, unknown>({
      saved,
      valuesOf: ({ title, price, size }) => ({ title, price, size }),
      problemsOf: ({ title, size }) => ({
        ...(title === '' && { title: 'Title is required' }),
        ...(size.width === '' && { 'size.width': 'Width is required' }),
      }),
      save,
      onFailure,
      failure: 'We couldn’t save it.',
      ...more,
    })
    drawn(shown)
    const width = shown.values.price === FREE ? null : shown.errorOf('size.width')
    return createElement('p', null, shown.errorOf('title'), width, shown.values.title)
  }
  const draw = async (saved: Saved) => {
    page.draw(Book, { saved })
    await page.rest()
  }
  await draw(book)
  const run = async (act: (form: SavedForm<Values, Saved>) => unknown) => {
    const done = act(form())
    await page.rest()
    return done
  }
  return { run, draw, save, onFailure, form }
}

test('shows typed values and the fields that differ from the saved values', async () => {
  const { run, form } = await openForm()
  expect([form().isDirty, form().changed]).toEqual([false, []])
  await run((now) => now.put({ title: 'Slow Trains', size: { width: '12' } }))
  expect(page.text()).toBe('Slow Trains')
  expect(form().changed).toEqual(['title', 'size'])
  expect(form().field('size.width').value).toBe('12')
  await run((now) => now.restart(now.base))
  expect([form().isDirty, form().values]).toEqual([false, { title: 'Trains', price: '4.00', size: { width: '10' } }])
})

test('sends nothing while a field has a problem, and focuses the first one', async () => {
  const { run, form, save } = await openForm()
  const focus = vi.fn<(name: string) => void>()
  for (const name of ['title', 'size.width'] as const)
    form()
      .field(name)
      .ref({ name, value: '', type: 'text', focus: () => focus(name) })
  await run((now) => now.put({ size: { width: '' } }))
  expect(form().errorOf('size.width')).toBe(undefined)
  expect(await run((now) => now.save())).toBe(false)
  expect(save).not.toHaveBeenCalled()
  expect(focus.mock.calls[0]).toEqual(['size.width'])
  expect(form().errorOf('size.width')).toBe('Width is required')
  await run((now) => now.put({ size: { width: '9' } }))
  expect(form().errorOf('size.width')).toBe(undefined)
})

test('sends one submit at a time, with the saved version', async () => {
  const { run, form, save } = await openForm()
  let answer = () => {}
  save.mockImplementation(() => new Promise((done) => (answer = () => done(undefined))))
  await run((now) => now.put({ price: '5.00' }))
  await run((now) => {
    now.submit()
    now.submit()
  })
  expect(form().isBusy).toBe(true)
  expect(save).toHaveBeenCalledExactlyOnceWith({ title: 'Trains', price: '5.00', size: { width: '10' } }, book)
  await run(() => answer())
  expect([form().isBusy, form().isDirty]).toEqual([false, false])
})

test('does not run `onSaved` after the form is unmounted', async () => {
  const onSaved = vi.fn<() => void>()
  const { run, save } = await openForm({ onSaved })
  let answer = () => {}
  save.mockImplementation(() => new Promise((done) => (answer = () => done(undefined))))
  await run((now) => now.submit())
  page.draw(() => null, {})
  await run(() => answer())
  expect(onSaved).not.toHaveBeenCalled()
})

test('retains typed values after a failure and shows a refusal at its field until the field changes', async () => {
  const { run, form, save, onFailure } = await openForm()
  save.mockRejectedValue(refusal(409, { message: 'title: This title is taken.', field: 'title' }))
  await run((now) => now.put({ title: 'Taken', price: '5.00' }))
  expect(await run((now) => now.save())).toBe(false)
  expect(form().values).toMatchObject({ title: 'Taken', price: '5.00' })
  expect(form().errorOf('title')).toBe('This title is taken.')
  await run((now) => now.put({ price: '6.00' }))
  expect(form().errorOf('title')).toBe('This title is taken.')
  await run((now) => now.put({ title: 'Free' }))
  expect(form().errorOf('title')).toBe(undefined)
  expect(onFailure).not.toHaveBeenCalled()

  // the form does not show problems of `price`
  save.mockRejectedValueOnce(refusal(400, { message: 'price: Too high', field: 'price' }))
  await run((now) => now.save())
  expect(onFailure).toHaveBeenLastCalledWith(expect.any(Failure), 'price: Too high')
  save.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  await run((now) => now.save())
  expect(onFailure).toHaveBeenLastCalledWith(expect.any(TypeError), 'We couldn’t save it.')
})

test('reports a refusal at a hidden field like one without a field', async () => {
  const { run, save, onFailure } = await openForm()
  await run((now) => now.put({ price: FREE }))
  save.mockRejectedValue(refusal(400, { message: 'Width: Too wide.', field: 'size.width' }))
  await run((now) => now.save())
  expect(onFailure).toHaveBeenLastCalledWith(expect.any(Failure), 'Width: Too wide.')
})

test('shows a refusal without a field as the problem of the form', async () => {
  const { run, form, save } = await openForm({ onFailure: undefined })
  save.mockRejectedValue(refusal(409, { message: 'Too many.' }))
  await run((now) => now.save())
  expect(form().problem).toBe('Too many.')
  save.mockResolvedValue(undefined)
  expect(await run((now) => now.save())).toBe(true)
  expect(form().problem).toBe(undefined)
})

test('shows a refusal without a field at the field `refusedAt`', async () => {
  const { run, form, save } = await openForm({ refusedAt: 'title' })
  save.mockRejectedValue(refusal(409, { message: 'Too many.' }))
  await run((now) => now.save())
  expect(form().errorOf('title')).toBe('Too many.')
})

test('merges a newer version with typed values and reports fields that both edits changed', async () => {
  const { run, draw, form } = await openForm()
  await run((now) => now.put({ price: '5.00' }))
  await draw({ ...book, version: 2, title: 'Fast Trains', price: '9.00' })
  expect(form()).toMatchObject({ both: ['price'], values: { title: 'Fast Trains', price: '5.00' } })
  // a stale response with an older version
  await draw({ ...book, title: 'Late' })
  expect(form().values.title).toBe('Fast Trains')
  await draw({ ...book, version: 3, title: 'Night Trains', price: '9.00' })
  expect(form().both).toEqual(['price'])
  await run((now) => now.takeTheirs('price'))
  expect(form()).toMatchObject({ both: [], isDirty: false, values: { price: '9.00' } })
})

test('merges the newer version after 409 and uses it for the next submit', async () => {
  const newer = { ...book, version: 2, price: '9.00' }
  const { run, form, save, onFailure } = await openForm({ reload: async () => newer })
  save.mockRejectedValueOnce(new Failure(409, '', 'changed'))
  await run((now) => now.put({ title: 'Mine', price: '5.00' }))
  expect(await run((now) => now.save())).toBe(false)
  expect(form()).toMatchObject({ both: ['price'], values: { title: 'Mine', price: '5.00' } })
  expect(onFailure).not.toHaveBeenCalled()
  await run((now) => now.keepMine('price'))
  expect(await run((now) => now.save())).toBe(true)
  expect(save).toHaveBeenLastCalledWith({ title: 'Mine', price: '5.00', size: { width: '10' } }, newer)
})

test('accepts values as the server formats them, also during a submit', async () => {
  const { run, draw, form, save } = await openForm()
  let answer = () => {}
  save.mockImplementation(() => new Promise((done) => (answer = () => done(undefined))))
  await run((now) => now.put({ price: '5,5' }))
  await run((now) => now.submit())
  await draw({ ...book, version: 2, price: '5.50' })
  await run(() => answer())
  expect(form()).toMatchObject({ both: [], isDirty: false, values: { price: '5.50' } })
})

test('warns before the user leaves a page with unsaved changes', async () => {
  const leave = () => {
    const event = new Event('beforeunload', { cancelable: true })
    page.dispatchEvent(event)
    return event.defaultPrevented
  }
  const { run } = await openForm()
  expect(leave()).toBe(false)
  await run((now) => now.put({ title: 'Mine' }))
  expect(leave()).toBe(true)
  const { forceLeave } = await import('../../kit/forcedLeave.client.ts')
  forceLeave(() => expect(leave()).toBe(false))
  await run((now) => now.restart(now.base))
  expect(leave()).toBe(false)
})

test('starts with a draft and stores the draft at each change', async () => {
  const storeDraft = vi.fn<(values: Values) => void>()
  const { run, form } = await openForm({ draft: { title: 'Draft' }, storeDraft })
  expect([form().values.title, form().changed]).toEqual(['Draft', ['title']])
  await run((now) => now.put({ title: 'Drafted' }))
  expect(storeDraft).toHaveBeenLastCalledWith(expect.objectContaining({ title: 'Drafted', price: '4.00' }))
  const event = new Event('beforeunload', { cancelable: true })
  page.dispatchEvent(event)
  expect(event.defaultPrevented).toBe(false)
})
