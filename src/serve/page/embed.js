// For pages of other sites: <finale-board game="high" fen="…"></finale-board> shows a position there,
// if the server was told that they may. It takes `from` and `line` as the address of a position does.

(() => {
  const home = new URL(".", document.currentScript.src);
  const parts = ["game", "fen", "from", "line"];

  class FinaleBoard extends HTMLElement {
    static get observedAttributes() { return parts; }

    constructor() {
      super();
      this.frame = document.createElement("iframe");
      this.frame.title = "finale: a position with all its turns";
      this.frame.loading = "lazy";
      Object.assign(this.frame.style, { display: "block", width: "100%", height: "45rem", border: "0" });
      this.hear = ({ source, origin, data }) => {
        if (source !== this.frame.contentWindow || origin !== home.origin || !data.finale) return;
        this.frame.style.height = `${data.finale.height}px`;
      };
    }

    connectedCallback() {
      this.style.display = "block";
      addEventListener("message", this.hear);
      this.show();
      this.append(this.frame);
    }

    disconnectedCallback() {
      removeEventListener("message", this.hear);
    }

    attributeChangedCallback() {
      // Who changes the game changes the position, too: what is between is none.
      if (this.waits) return;
      this.waits = true;
      queueMicrotask(() => {
        this.waits = false;
        if (this.isConnected) this.show();
      });
    }

    show() {
      const named = parts.filter((name) => this.hasAttribute(name)).map((name) =>
        `${name}=${encodeURIComponent(this.getAttribute(name).replaceAll(" ", "_"))}`);
      const address = new URL(`?${[...named, "embed=1"].join("&")}`, home).href;
      if (this.frame.src !== address) this.frame.src = address;
    }
  }

  customElements.define("finale-board", FinaleBoard);
})();
