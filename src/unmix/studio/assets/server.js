// Talking with the server: JSON there and back, and what it refuses as an error with its sentence.
export async function send(method, address, content) {
  const answer = await fetch(address, {
    method,
    headers: { accept: "application/json", ...(content === undefined ? {} : { "content-type": "application/json" }) },
    body: content === undefined ? undefined : JSON.stringify(content),
  }).catch(() => { throw new Error("The studio does not answer. Was it ended in the terminal?"); });
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(told.error || "The studio could not do that.");
  return told;
}

// Buttons that post or delete; the page is read anew afterwards, or left where it is gone.
export function act(root = document) {
  root.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-post], [data-delete]");
    if (!button) return;
    const { post, name } = button.dataset, address = post || button.dataset.delete;
    if (!post && !confirm(`Delete ${name || "this run"}? This cannot be undone.`)) return;
    button.disabled = true;
    try {
      await send(post ? "POST" : "DELETE", address, post ? {} : undefined);
      if (!post && location.pathname !== "/" && /^\/api\/(runs|tables)\//.test(address)) location.assign("/");
      else location.reload();
    } catch (error) {
      button.disabled = false;
      button.after(Object.assign(document.createElement("span"), { className: "told wrong", role: "alert", textContent: " " + error.message }));
    }
  });
}

// The words of the first field that holds what it cannot mean, said where the page says whether it is ready; "" if none does.
export function wrongField(root = document) {
  const wrong = root.querySelector("#question input:invalid");
  return wrong ? `${wrong.closest("label").firstChild.textContent}: ${wrong.validationMessage}` : "";
}

// Times as the reader's clock shows them.
export function clocks() {
  for (const time of document.querySelectorAll("time")) {
    const moment = new Date(time.dateTime);
    if (!Number.isNaN(moment.getTime())) time.textContent = moment.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  }
}
