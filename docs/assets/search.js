// Search without a server: the library and the pages (searchDocs) stand above, in the same file; see docs/hooks.py.
(function () {
  var field = document.getElementById("mkdocs-search-query");
  var list = document.getElementById("mkdocs-search-results");
  if (!field || !list) return; // only on the page with the results

  var byLocation = {};
  var index = lunr(function () {
    this.field("title", { boost: 10 });
    this.field("text");
    this.ref("location");
    searchDocs.forEach(function (doc) {
      byLocation[doc.location] = doc;
      this.add(doc);
    }, this);
  });

  function found(query) {
    return index.query(function (q) {
      lunr.tokenizer(query).forEach(function (token) {
        var word = token.toString();
        q.term(index.pipeline.runString(word), { boost: 10 }); // as it is stemmed in the index
        q.term(word, { boost: 5, wildcard: lunr.Query.wildcard.TRAILING });
      });
    });
  }

  function show() {
    list.textContent = "";
    var hits = found(field.value).slice(0, 30);
    hits.forEach(function (hit) {
      var doc = byLocation[hit.ref];
      var article = document.createElement("article");
      var link = document.createElement("a");
      link.href = doc.location;
      link.textContent = doc.title;
      article.appendChild(document.createElement("h3")).appendChild(link);
      article.appendChild(document.createElement("p")).textContent = doc.text.slice(0, 200);
      list.appendChild(article);
    });
    if (!hits.length) list.textContent = "Nothing found.";
  }

  field.value = new URLSearchParams(window.location.search).get("q") || "";
  field.addEventListener("input", show);
  field.form.addEventListener("submit", function (event) { event.preventDefault(); show(); });
  show();
})();
