import type { Identity } from '../identity/identity.server.ts'
import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import { openChangeFeed } from './changeFeed.server.ts'
import { openHooks } from './hooks/hooks.server.ts'
import { openMails } from './mail/mails.server.ts'
import type { NotificationsConfig } from './notifications.settings.server.ts'
import { openPush } from './push/push.server.ts'

type Needs = Kit<NotificationsConfig> & { identity: Identity; sender: string }

export const notifications = {
  async open({ config, database: { db }, bus, secret, publicUrl, identity, sender }: Needs) {
    const mails = openMails({ config, db, secret, publicUrl, sender })
    const changeFeed = await openChangeFeed(bus, identity)
    const hooks = openHooks({ config, db, secret, publicUrl })
    const push = openPush({ config, db, secret, sessionKeyOf: identity.sessionKeyOf })
    return {
      routes: [...mails.routes, changeFeed.route, ...push.routes, ...hooks.routes],
      jobs: [...push.jobs, ...hooks.jobs],
      parts: { unsubscribeUrlOf: mails.unsubscribeUrlOf, sendNewsletter: mails.sendNewsletter },
      drain: changeFeed.stop,
    }
  },
} satisfies Module
