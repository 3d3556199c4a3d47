import { type SyntheticEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  type FieldError,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  get,
  type RegisterOptions,
  set,
  useForm,
  type UseFormReturn,
  useWatch,
} from 'react-hook-form'
import { isProofMissing } from '../../kit/call.client.ts'
import { Failure } from '../../kit/failure.ts'
import { isLeaveForced } from '../../kit/forcedLeave.client.ts'
import { toast } from '../toasts/toast.client.ts'
import { changedFields, isOlder, mergeEdits, type Problems, readRefusal } from './savedForm.rules.ts'

type SavedFormInput<V extends FieldValues, S, R> = {
  /** The version on the server; null for a new record. The form merges a newer version with the typed values. */
  saved: S
  valuesOf: (saved: S) => V
  problemsOf?: (values: V) => Problems<FieldPath<V>>
  save: (values: V, saved: S) => Promise<R>
  /** Does not run if the form is unmounted before the save ends, for example in a closed dialog. */
  onSaved?: (result: R) => void
  /** Refetches after 409 `changed`. The newer version is the result or the next `saved`. */
  reload?: () => Promise<S | null | void>
  /** The message for a failure without a reason from the server. */
  failure: string
  /** Shows refusals without a field at this field. */
  refusedAt?: FieldPath<V>
  /** Handles other refusals. Without this callback, `problem` has the message. */
  onFailure?: (error: unknown, message: string) => unknown
  /** Values of an earlier visit. A form with `storeDraft` does not warn when the user leaves the page. */
  draft?: Partial<V> | null
  storeDraft?: (values: V) => void
}

export type SavedForm<V extends FieldValues, S = unknown, R = unknown> = ReturnType<typeof useSavedForm<V, S, R>>

/**
 * Edits values that the server stores. Tracks changed fields, merges newer versions, shows problems at their fields and
 * sends one submit at a time. Typed values survive a failure.
 */
export function useSavedForm<V extends FieldValues, S, R>(input: SavedFormInput<V, S, R>) {
  const { saved, valuesOf, problemsOf = () => ({}), storeDraft } = input
  const [state, setState] = useState(() => ({ saved, base: valuesOf(saved), both: [] as (keyof V & string)[] }))
  const [problem, setProblem] = useState<string>()
  const isPending = useRef(false)
  const isHere = useIsHere()
  const form = useForm<FieldValues>({
    defaultValues: { ...state.base, ...input.draft },
    resolver: (values) => {
      const errors = toErrors(problemsOf(values as V))
      return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} }
    },
  })
  const { isSubmitting, isSubmitted } = form.formState
  const { subscribe, control } = form
  const values = useWatch({ control }) as V
  const changed = changedFields(state.base, values)
  const isDirty = changed.length > 0
  const { hasField, ...fields } = useFields(form, values, isSubmitted ? problemsOf(values) : {})

  const put = (change: Partial<V>) => {
    for (const [name, value] of Object.entries(change)) form.setValue(name, value, { shouldValidate: isSubmitted })
  }
  const follow = (theirs: S) => {
    if (isOlder(theirs, state.saved)) return
    const base = valuesOf(theirs)
    const { taken, both } = mergeEdits(state.base, form.getValues() as V, base)
    put(taken)
    setState({ saved: theirs, base, both: [...new Set([...state.both, ...both])] })
  }
  const settle = (name: keyof V) => setState((now) => ({ ...now, both: now.both.filter((one) => one !== name) }))

  const followed = useRef(saved)
  const followNewer = useEffectEvent(() => {
    if (isSubmitting || followed.current === saved) return
    followed.current = saved
    follow(saved)
  })
  useEffect(() => followNewer(), [saved, isSubmitting])

  const storeTyped = useEffectEvent((typed: FieldValues) => storeDraft?.(typed as V))
  useEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values: typed }) => storeTyped(typed) }),
    [subscribe],
  )
  useLeaveGuard(isDirty && !storeDraft)

  async function refuse(error: unknown) {
    if (input.reload && error instanceof Failure && error.code === 'changed') {
      // if this read fails, the next submit gets 409 again
      const theirs = await input.reload().catch(() => null)
      if (theirs) follow(theirs)
      toast({ title: 'Changed elsewhere', description: 'Nothing you typed is lost. Look at it and save again.' })
      return
    }
    const { message, path = input.refusedAt } = readRefusal(error, hasField, input.failure)
    if (path !== undefined) form.setError(path, { type: 'server', message }, { shouldFocus: true })
    else if (input.onFailure) await input.onFailure(error, message)
    else if (!isProofMissing(error)) setProblem(message)
  }

  async function send(sent: FieldValues): Promise<boolean> {
    setProblem(undefined)
    let result: R
    try {
      result = await input.save(sent as V, state.saved)
    } catch (error) {
      await refuse(error)
      return false
    }
    setState((now) => ({ ...now, base: sent as V, both: [] }))
    if (isHere.current) input.onSaved?.(result)
    return true
  }

  /** Returns true if the values were saved. Focuses the first field with a problem. */
  async function save(event?: SyntheticEvent): Promise<boolean> {
    event?.preventDefault()
    if (isPending.current) return false
    isPending.current = true
    try {
      return (await form.handleSubmit(send)(event)) ?? false
    } finally {
      isPending.current = false
    }
  }

  return {
    ...{ values, base: state.base, saved: state.saved, changed, isDirty, both: state.both, problem, put, save },
    ...fields,
    isBusy: isSubmitting,
    setFocus: form.setFocus,
    /** Returns the current values, for code that runs after an `await`. */
    readValues: () => form.getValues() as V,
    submit: (event?: SyntheticEvent) => void save(event),
    keepMine: settle,
    takeTheirs: (name: keyof V & string) => {
      put({ [name]: state.base[name] } as Partial<V>)
      settle(name)
    },
    /** Resets the form to these values and discards the typed ones. */
    restart: (base: V) => {
      form.reset(base)
      setProblem(undefined)
      setState((now) => ({ ...now, base, both: [] }))
    },
  }
}

function useFields<V extends FieldValues>(form: UseFormReturn<FieldValues>, values: V, problems: Problems) {
  const [shown] = useState(() => new Set<string>())
  // Each render collects its fields anew, because a field can be hidden.
  shown.clear()
  const { errors } = form.formState
  return {
    /** Returns whether the form shows the problems of this field. */
    hasField: (name: string) => shown.has(name),
    errorOf: (name: FieldPath<V>): string | undefined => {
      shown.add(name)
      const error = get(errors, name) as FieldError | undefined
      return problems[name] ?? (error?.type === 'server' ? error.message : undefined)
    },
    /** The props of an input that shows and changes a field. */
    field: (name: FieldPath<V>, options?: Pick<RegisterOptions, 'onChange' | 'onBlur'>) => ({
      ...form.register(name, options),
      value: String(get(values, name) ?? ''),
    }),
    /** The ref of the element to focus for a field without an input. */
    refOf: (name: FieldPath<V>) => {
      const { ref } = form.register(name)
      return (element: HTMLElement | null) => ref(element && { name, type: 'custom', focus: () => element.focus() })
    },
  }
}

function toErrors(problems: Problems): FieldErrors {
  const errors: FieldErrors = {}
  for (const [path, message] of Object.entries(problems))
    if (message !== undefined) set(errors, path, { type: 'invalid', message })
  return errors
}

/** Tracks whether the component is mounted, for responses that arrive later. */
function useIsHere() {
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return isHere
}

function useLeaveGuard(isDirty: boolean) {
  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => {
      if (!isLeaveForced()) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isDirty])
}
