import { strengthOf } from '../password/password.rules.ts'
import { canUsePasskeys, type KeyOptionsText, showKey } from '../passkeys/webauthn.client.ts'

// Optional script of the sign-in pages: offers passkeys and shows the strength of a new password.

/** Interval of new challenges, which expire after five minutes. */
const ASK_AGAIN_MS = 240_000

async function post<Reply>(path: string, body: object): Promise<Reply> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const reply = (await response.json().catch(() => ({}))) as Reply & { message?: string }
  if (!response.ok) throw new Error(reply.message ?? 'The store didn’t respond. Please try again.')
  return reply
}

function offerPasskeys(button: HTMLButtonElement, problem: HTMLElement) {
  let asking = new AbortController()
  const say = (text: string) => {
    problem.textContent = text
    problem.hidden = text === ''
  }

  /** Offers passkeys in the email field (with `mediation`) or in a dialog. Returns true after a sign-in. */
  async function ask(mediation?: 'conditional'): Promise<boolean> {
    asking.abort()
    asking = new AbortController()
    const { signal } = asking
    // shows errors only if the visitor started the sign-in
    let isAsked = mediation === undefined
    try {
      const options = await post<KeyOptionsText>('/api/login/passkey/options', {})
      const proof = await showKey(options, { signal, ...(mediation && { mediation }) })
      isAsked = true
      const returnTo = new URLSearchParams(location.search).get('returnTo')
      const { to } = await post<{ to: string }>('/api/login/passkey', { proof, ...(returnTo && { returnTo }) })
      location.assign(to)
      return true
    } catch (error) {
      if (isAsked && !signal.aborted) say(textOf(error))
      return signal.aborted
    }
  }

  async function wait() {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
    const again = setTimeout(() => void wait(), ASK_AGAIN_MS)
    // after a refused passkey, the visitor may choose another one
    if (!(await ask('conditional'))) clearTimeout(again)
  }

  button.parentElement!.hidden = false
  button.onclick = async () => {
    say('')
    if (!(await ask())) await wait()
  }
  void wait()
}

function textOf(error: unknown): string {
  if (!(error instanceof DOMException)) return error instanceof Error ? error.message : String(error)
  return error.name === 'SecurityError'
    ? 'Passkeys don’t work at this web address.'
    : 'No passkey was used. Try again, or use your password.'
}

function showStrength(input: HTMLInputElement) {
  const line = document.createElement('p')
  line.className = 'hint'
  line.role = 'status'
  input.closest('.field')?.append(line)
  input.oninput = () => {
    const { word } = strengthOf(input.value, input.minLength)
    line.textContent = word && `Strength: ${word}`
    input.removeAttribute('aria-invalid')
    document.getElementById(`${input.name}-problem`)?.remove()
  }
}

function offerToShow(input: HTMLInputElement) {
  const button = document.createElement('button')
  const show = (isShown: boolean) => {
    input.type = isShown ? 'text' : 'password'
    button.textContent = isShown ? 'Hide' : 'Show'
    button.ariaLabel = isShown ? 'Hide characters' : 'Show characters'
  }
  button.type = 'button'
  button.className = 'show'
  button.onclick = () => show(input.type === 'password')
  // hides the password before submit: password managers and the history of the browser need a password field
  input.form?.addEventListener('submit', () => show(false))
  input.after(button)
  show(false)
}

/** Shows the error of a field below the field, instead of in the browser's bubble. */
function showProblem(event: Event) {
  const input = event.target as HTMLInputElement
  event.preventDefault()
  const id = `${input.name}-problem`
  const line = document.getElementById(id) ?? document.createElement('p')
  Object.assign(line, { id, className: 'error', textContent: input.validationMessage })
  input.closest('.field')?.append(line)
  input.setAttribute('aria-invalid', 'true')
  input.setAttribute('aria-describedby', id)
  input.form?.querySelector<HTMLElement>(':invalid')?.focus()
  const hide = () => {
    input.removeAttribute('aria-invalid')
    line.remove()
  }
  input.addEventListener('input', hide, { once: true })
}

document.addEventListener('invalid', showProblem, true)
const button = document.querySelector<HTMLButtonElement>('#passkey')
const problem = document.getElementById('passkey-problem')
if (button && problem && canUsePasskeys()) offerPasskeys(button, problem)
document.querySelectorAll<HTMLInputElement>('input[type="password"]').forEach(offerToShow)
document.querySelectorAll<HTMLInputElement>('input[autocomplete="new-password"]').forEach(showStrength)
