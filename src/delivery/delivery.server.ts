import type { Route } from '../kit/handle.server.ts'
import type { Storage } from '../uploads/storage.server.ts'
import { codeRoutes } from './codes/codes.server.ts'
import { downloadRoutes } from './files/downloads.server.ts'

export const deliveryRoutes = ({ storage, secret }: { storage: Storage; secret: string }): Route[] => [
  ...downloadRoutes({ storage, secret }),
  ...codeRoutes({ secret }),
]
