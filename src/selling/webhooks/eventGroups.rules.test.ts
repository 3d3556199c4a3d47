import { expect, test } from 'vitest'
import { chooseEvents, EVENT_GROUPS, EVENT_NAMES } from './eventGroups.rules.ts'

test('groups the events by their first word, each once and with a title', () => {
  expect(EVENT_GROUPS.flatMap(({ events }) => events).toSorted()).toEqual(EVENT_NAMES.toSorted())
  expect(EVENT_GROUPS[0]).toEqual({ word: 'order', title: 'Orders', events: ['order.completed', 'order.refunded'] })
  for (const { word, title, events } of EVENT_GROUPS) {
    expect(title).toMatch(/^[A-Z]/)
    for (const name of events) expect(name.startsWith(`${word}.`)).toBe(true)
  }
  expect(new Set(EVENT_GROUPS.map(({ word }) => word)).size).toBe(EVENT_GROUPS.length)
})

test('choosing a group or an event keeps the order of the events', () => {
  const gifts = EVENT_GROUPS.find(({ word }) => word === 'gift')!.events
  const chosen = chooseEvents(['review.created', 'order.completed'], gifts, true)
  expect(chosen).toEqual(['order.completed', ...gifts, 'review.created'])
  expect(chooseEvents(chosen, ['gift.claimed'], false)).not.toContain('gift.claimed')
  expect(chooseEvents(chosen, gifts, false)).toEqual(['order.completed', 'review.created'])
})
