// The one Running of the process.
#include "facts/running.h"

namespace shapecast {

std::string Running::text() const {
    std::string all = unexpectedField;
    for (bool flag :
         {whereChecksIntegers, complexByAnnexG, sumCompensates, countsTooMany, viewGridsAreTuples})
        all += flag ? '1' : '0';
    for (const auto &[usual, ours] : words)
        all += usual + '\0' + ours + '\0';
    return all;
}

std::string_view Running::says(std::string_view usual) const {
    const auto found = words.find(usual);
    return found == words.end() ? usual : std::string_view(found->second);
}

std::string Running::saysOf(std::string_view usual,
                            std::initializer_list<std::string_view> names) const {
    std::string text(says(usual));
    size_t number = 0;
    for (std::string_view name : names) {
        const std::string place = "{" + std::to_string(number++) + "}";
        if (const size_t at = text.find(place); at != std::string::npos)
            text.replace(at, place.size(), name);
    }
    return text;
}

Running &running() {
    static Running found;
    return found;
}

} // namespace shapecast
