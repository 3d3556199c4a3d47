import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  type Passkey,
  removePasskey,
  renamePasskey,
} from '../../identity/passkeys/passkey.contract.ts'
import { type KeyOptionsText, makeKey } from '../../identity/passkeys/webauthn.client.ts'
import { call } from '../../kit/call.client.ts'
import { query } from '../../kit/query/query.client.ts'

const passkeys = query(listPasskeys, {})

export function usePasskeys() {
  const cache = useQueryClient()
  const onSuccess = (keys: Passkey[]) => cache.setQueryData(passkeys.queryKey, keys)
  return {
    keys: useQuery({ ...passkeys, refetchOnMount: 'always' }),
    add: useMutation({
      mutationFn: async (name: string) => {
        const options = (await call(beginPasskey, {})) as KeyOptionsText
        return call(addPasskey, { name, key: await makeKey(options) })
      },
      onSuccess,
    }),
    rename: useMutation({
      mutationFn: (given: { id: string; name: string }) => call(renamePasskey, given),
      onSuccess,
    }),
    remove: useMutation({ mutationFn: (id: string) => call(removePasskey, { id }), onSuccess }),
  }
}
