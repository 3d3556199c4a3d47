import type { Route } from './handle.server.ts'
import type { Check } from './health/finding.rules.ts'
import type { Job } from './jobs.server.ts'

export type Opened<Parts extends object = object> = {
  routes?: Route[]
  jobs?: Job[]
  checks?: Check[]
  parts?: Parts
  drain?: () => void
  /** Runs after the server has closed, in reverse order of `open`. */
  close?: () => Promise<unknown>
}

/** The public interface of a room on the server, in `<room>.module.ts`. */
export type Module<Needs = never, Parts extends object = object> = {
  open: (shop: Needs, checks: Check[]) => Opened<Parts> | Promise<Opened<Parts>>
}

type Opening<Shop extends object> = {
  add: <Parts extends object>(module: Module<Shop, Parts>) => Opening<Shop & Parts>
  open: () => Promise<OpenShop<Shop>>
}

type OpenShop<Shop> = {
  shop: Shop
  routes: Route[]
  jobs: Job[]
  drain: () => void
  close: () => Promise<void>
}

/** Opens modules one after another. The compiler checks that each one finds the parts that it needs. */
export function openModules<Start extends object>(start: Start): Opening<Start> {
  const opened: Opened[] = []
  const opening = <Shop extends object>(ready: Promise<Shop>): Opening<Shop> => ({
    add: <Parts extends object>({ open }: Module<Shop, Parts>) =>
      opening(
        ready.then(async (shop) => {
          const room = await open(
            shop,
            opened.flatMap(({ checks = [] }) => checks),
          )
          opened.push(room)
          return { ...shop, ...room.parts } as Shop & Parts
        }),
      ),
    open: async () => ({
      shop: await ready,
      routes: opened.flatMap(({ routes = [] }) => routes),
      jobs: opened.flatMap(({ jobs = [] }) => jobs),
      drain: () => opened.forEach(({ drain }) => drain?.()),
      close: async () => {
        for (const { close } of opened.toReversed()) await close?.()
      },
    }),
  })
  return opening(Promise.resolve(start))
}
